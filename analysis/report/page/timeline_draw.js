// SPDX-License-Identifier: Apache-2.0
//
// One picture of a timeline: ranks from top to bottom, time from left to right. `view` is what is
// seen: seconds t0 to t1, and parts of all ranks r0 to r1 (0 to 1). Cells come first; where a cell
// is wider than two pixels and the view lies in the window of intervals, these are drawn.
"use strict";
(() => {
    const LEFT = 46, BOTTOM = 22; // for labels of ranks and times
    const ARROWS = 3000;          // of more messages nobody can tell any

    const asNumber = colour => {
        const value = parseInt(colour.slice(1), 16);
        return (255 << 24) | ((value & 255) << 16) | (value & 0xff00) | (value >> 16);
    };

    // A colour that is not highlighted, mixed with what is behind.
    const faded = colour => {
        const ground = report.isDark() ? 40 : 236;
        return "#" + [1, 3, 5].map(at => Math.round(parseInt(colour.slice(at, at + 2), 16) * .18 + ground * .82)
            .toString(16).padStart(2, "0")).join("");
    };

    report.timelineBox = (width, height) => ({x: LEFT, y: 2, width: Math.max(1, width - LEFT - 4), height: Math.max(1, height - BOTTOM - 2)});

    // `lit`: an activity that is shown alone, or a set of sites; of cells only activities are known.
    const palette = (groups, run, lit) => {
        const seen = lit === null ? null : lit instanceof Set ? new Set([...lit].map(site => run.sites[site].group)) : new Set([lit]);
        return groups.map((group, i) => seen === null || seen.has(i) ? group.colour : faded(group.colour));
    };
    const paletteOfSites = (groups, run, lit) => {
        const colours = palette(groups, run, lit);
        return run.sites.map((site, i) => lit instanceof Set && !lit.has(i) ? faded(groups[site.group].colour) : colours[site.group]);
    };

    const drawCells = (context, box, ratio, run, view, colours) => {
        const width = Math.round(box.width * ratio), height = Math.round(box.height * ratio);
        const image = context.createImageData(width, height), pixels = new Uint32Array(image.data.buffer);
        const table = new Uint32Array(256).fill(asNumber(report.isDark() ? "#262b32" : "#eceef0"));
        colours.forEach((colour, i) => { table[i + 1] = asNumber(colour); });
        const columns = new Int32Array(width), share = (view.t1 - view.t0) / run.duration_s;
        for (let x = 0; x < width; x++) {
            const bin = Math.floor((view.t0 / run.duration_s + share * (x + .5) / width) * run.bins);
            columns[x] = bin >= 0 && bin < run.bins ? bin : -1;
        }
        for (let y = 0; y < height; y++) {
            const part = view.r0 + (view.r1 - view.r0) * (y + .5) / height;
            const row = Math.min(run.ranks - 1, Math.floor(part * run.ranks)) * run.bins;
            for (let x = 0, at = y * width; x < width; x++, at++)
                pixels[at] = columns[x] < 0 ? 0 : table[run.cells[row + columns[x]]];
        }
        context.putImageData(image, Math.round(box.x * ratio), Math.round(box.y * ratio));
    };

    const rowsOf = (box, run, view) => {
        const first = Math.floor(view.r0 * run.ranks), last = Math.min(run.ranks, Math.ceil(view.r1 * run.ranks));
        const height = box.height / ((view.r1 - view.r0) * run.ranks);
        return {first, last, height, y: rank => box.y + (rank - view.r0 * run.ranks) * height};
    };

    const drawIntervals = (context, box, run, view, colours) => {
        const rows = rowsOf(box, run, view), perSecond = box.width / (view.t1 - view.t0);
        const gap = rows.height > 6 ? 1 : 0, x = time => box.x + (time - view.t0) * perSecond;
        context.fillStyle = report.colour("idle");
        context.fillRect(box.x, box.y, Math.min(box.width, x(run.duration_s) - box.x), box.height);
        // Where ranks are thinner than pixels, one rank for each row of pixels: as cells are drawn, too.
        const step = Math.max(1, Math.floor(1 / rows.height));
        for (let rank = rows.first; rank < rows.last; rank += step) {
            const row = run.intervals[rank], y = rows.y(rank), height = Math.max(.6, step * rows.height - gap);
            for (let i = report.firstInterval(row, view.t0); i < row.count && row.begin[i] < view.t1; i++) {
                const from = Math.max(box.x, x(row.begin[i])), to = x(row.end[i]);
                context.fillStyle = colours[row.site[i]];
                context.fillRect(from, y, Math.max(.4, to - from), height);
                if (row.waited[i] > 0) {
                    context.fillStyle = report.isDark() ? "rgba(26,30,36,.62)" : "rgba(255,255,255,.62)";
                    context.fillRect(from, y, Math.max(0, x(row.begin[i] + row.waited[i]) - from), height);
                }
            }
        }
    };

    const drawMessages = (context, box, run, view) => {
        const rows = rowsOf(box, run, view), perSecond = box.width / (view.t1 - view.t0);
        const seen = run.messages.filter(message => message.received > view.t0 && message.sent < view.t1);
        if (rows.height < 5 || seen.length > ARROWS)
            return;
        const strength = seen.length > 200 ? .35 : .65;
        context.strokeStyle = report.isDark() ? `rgba(255,255,255,${strength})` : `rgba(0,0,0,${strength})`;
        context.lineWidth = .8;
        for (const message of seen) {
            const x = box.x + (message.received - view.t0) * perSecond, y = rows.y(message.to + .5);
            const from = box.x + (message.sent - view.t0) * perSecond, top = rows.y(message.from + .5);
            const angle = Math.atan2(y - top, x - from);
            context.beginPath();
            context.moveTo(from, top);
            context.lineTo(x, y);
            context.lineTo(x - 5 * Math.cos(angle - .4), y - 5 * Math.sin(angle - .4));
            context.moveTo(x, y);
            context.lineTo(x - 5 * Math.cos(angle + .4), y - 5 * Math.sin(angle + .4));
            context.stroke();
        }
    };

    // One line along ranks and times, with a rim so that it is seen on any colour.
    const drawPath = (context, box, run, view) => {
        const rows = rowsOf(box, run, view), perSecond = box.width / (view.t1 - view.t0);
        const x = time => box.x + (time - view.t0) * perSecond;
        const seen = run.steps.filter((step, i) => (run.steps[i + 1]?.begin ?? step.end) >= view.t0 && (run.steps[i - 1]?.end ?? 0) <= view.t1);
        for (const [colour, width] of [[report.isDark() ? "#000" : "#fff", 4.5], [report.isDark() ? "#fff" : "#111", 2]]) {
            context.strokeStyle = colour;
            context.lineWidth = width;
            context.lineJoin = "round";
            context.beginPath();
            seen.forEach((step, i) => {
                context[i === 0 ? "moveTo" : "lineTo"](x(step.begin), rows.y(step.rank + .5));
                context.lineTo(x(step.end), rows.y(step.rank + .5));
            });
            context.stroke();
        }
    };

    const drawAxes = (context, box, run, view) => {
        context.fillStyle = context.strokeStyle = report.colour("muted");
        context.textBaseline = "top";
        const scale = report.scale(view.t1), ticks = report.ticks(view.t0 / scale.factor, view.t1 / scale.factor, box.width / 110);
        const places = Math.max(0, -Math.floor(Math.log10(ticks.step) + 1e-9));
        for (const tick of ticks.found) {
            const x = box.x + (tick * scale.factor - view.t0) / (view.t1 - view.t0) * box.width;
            context.fillRect(x, box.y + box.height, 1, 4);
            context.textAlign = x > box.x + box.width - 40 ? "right" : x < box.x + 30 ? "left" : "center";
            context.fillText(`${tick.toFixed(Math.min(places, 12))} ${scale.name}`, x, box.y + box.height + 6);
        }
        const rows = rowsOf(box, run, view), count = Math.max(1, rows.last - rows.first);
        const step = Math.max(1, Math.ceil(report.ticks(0, count, Math.min(count, box.height / 26)).step));
        context.textAlign = "right";
        context.textBaseline = "middle";
        for (let rank = Math.ceil(rows.first / step) * step; rank < rows.last; rank += step)
            if (rows.y(rank + .5) > box.y + 4 && rows.y(rank + .5) < box.y + box.height - 2)
                context.fillText(report.rowLabel(run, rank), box.x - 6, rows.y(rank + .5));
    };

    report.showsIntervals = (run, view, width) => {
        const slack = 1e-9 + 1e-6 * (view.t1 - view.t0), t1 = Math.min(view.t1, run.duration_s);
        return run.intervals !== null && view.t0 >= run.raw_begin_s - slack && t1 <= run.raw_end_s + slack &&
            (view.t1 - view.t0) / width < run.duration_s / run.bins / 2;
    };

    report.drawTimeline = (canvas, height, run, groups, state) => {
        const {view} = state, lit = state.litSites?.get(run) ?? state.lit;
        const {context, width, ratio} = report.canvas(canvas, height);
        const box = report.timelineBox(width, height), colours = palette(groups, run, lit);
        const details = report.showsIntervals(run, view, box.width);
        context.save();
        context.beginPath();
        context.rect(box.x, box.y, box.width, box.height);
        context.clip();
        if (details)
            drawIntervals(context, box, run, view, paletteOfSites(groups, run, lit));
        else
            drawCells(context, box, ratio, run, view, colours);
        if (details && state.arrows)
            drawMessages(context, box, run, view);
        if (state.path)
            drawPath(context, box, run, view);
        context.restore();
        drawAxes(context, box, run, view);
        return details;
    };
})();
