// SPDX-License-Identifier: Apache-2.0
//
// Sums of what the timeline shows: time by activity, messages and bytes that were sent, run beside run. Of the
// whole run, and of all ranks, cells have them; where single intervals are seen, these, of the ranks that are seen.
"use strict";
(() => {
    // From sums up to each cell's begin: the sum from t0 to t1; within a cell it is spread evenly.
    const upTo = (sums, run, row, time) => {
        const at = Math.min(run.bins, Math.max(0, time / run.duration_s * run.bins)), cell = Math.min(run.bins - 1, Math.floor(at));
        const first = row * (run.bins + 1) + cell;
        return sums[first] + (sums[first + 1] - sums[first]) * (at - cell);
    };
    const between = (sums, run, row, view) => upTo(sums, run, row, view.t1) - upTo(sums, run, row, view.t0);

    const ofCells = (run, groups, view) => groups.map((_, i) => between(run.sums, run, i, view));

    const ofIntervals = (run, groups, view) => {
        const found = groups.map(() => 0);
        const first = Math.floor(view.r0 * run.ranks), last = Math.min(run.ranks - run.lanes.length, Math.ceil(view.r1 * run.ranks));
        for (let rank = first; rank < last; rank++) {
            const row = run.intervals[rank];
            for (let i = report.firstInterval(row, view.t0); i < row.count && row.begin[i] < view.t1; i++)
                found[run.sites[row.site[i]].group] += Math.min(row.end[i], view.t1) - Math.max(row.begin[i], view.t0);
        }
        return found;
    };

    report.sumStretch = (run, groups, view, details) => ({
        seconds: (details ? ofIntervals : ofCells)(run, groups, view),
        messages: Math.round(between(run.sent, run, 0, view)),
        bytes: Math.round(between(run.sent, run, 1, view)),
    });

    // Rows of an activity that is nowhere are left out; `data-v` has all digits, as elsewhere on the page.
    report.showStretch = (element, runs, groups, view, details) => {
        const all = runs.map(run => report.sumStretch(run, groups, view, details));
        const number = (row, value, text) => report.add(row, "td", {className: "number", textContent: text, data: {v: value}});
        const add = (name, values, written) => {
            const row = report.add(body, "tr");
            report.add(report.add(row, "td", {className: "text"}), "span", {textContent: name});
            values.forEach(value => number(row, value, written(value)));
            if (values.length > 1)
                number(row, values[1] - values[0], (values[1] > values[0] ? "+" : values[1] < values[0] ? "−" : "") + written(Math.abs(values[1] - values[0])));
        };
        element.textContent = "";
        const table = report.add(element, "table", {id: "stretch"});
        report.add(table, "caption", {textContent: "What is seen, in sums: " +
            `${report.seconds(view.t0)} to ${report.seconds(view.t1)}, ${details ? "of the ranks that are seen" : "of all ranks"}; messages of all ranks`});
        const head = report.add(report.add(table, "thead"), "tr"), body = report.add(table, "tbody");
        const heading = (text, className) => report.add(head, "th", {scope: "col", className, textContent: text});
        heading("activity", "text");
        runs.forEach(run => heading(runs.length > 1 ? run.name : "sum", "number"));
        if (runs.length > 1)
            heading("difference", "number");
        groups.map((_, i) => i).filter(i => all.some(sums => sums.seconds[i] > 0))
            .sort((a, b) => all[0].seconds[b] - all[0].seconds[a])
            .forEach(i => add(groups[i].name, all.map(sums => sums.seconds[i]), value => report.seconds(value)));
        add("messages sent", all.map(sums => sums.messages), value => report.count(value));
        add("bytes sent", all.map(sums => sums.bytes), value => report.bytes(value));
    };
})();
