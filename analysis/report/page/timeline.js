// SPDX-License-Identifier: Apache-2.0
//
// The timeline as a figure: one run, or two below each other with one zoom; mouse, wheel, keys.
"use strict";
report.figures.timeline = async function (drawing, data) {
    const began = performance.now();
    const {groups, runs} = await report.readTimeline(data);
    const unpacked = performance.now();
    const longest = () => Math.max(...shown().map(run => run.duration_s));
    const state = {litSites: null, next: null, view: {t0: 0, t1: runs[0].duration_s, r0: 0, r1: 1}, lit: null, arrows: true, path: false, main: 0, below: -1};
    const shown = () => [runs[state.main], runs[state.below]].filter(run => run !== undefined);

    // ---- Elements ----
    const tools = report.add(drawing, "div", {className: "tools"});
    const tool = (text, title, action) => report.add(tools, "button", {textContent: text, title, type: "button", onclick: action});
    const legend = report.add(drawing, "div", {className: "legend"});
    const pictures = [0, 1].map(() => {
        const name = report.add(drawing, "div", {className: "timeline-name"});
        const frame = report.add(drawing, "div", {style: {position: "relative"}});
        const canvas = report.add(frame, "canvas", {className: "timeline", tabIndex: 0});
        canvas.setAttribute("role", "img");
        const selection = report.add(frame, "div", {className: "selection", hidden: true});
        return {name, frame, canvas, selection, hint: report.hint(frame)};
    });
    drawing.append(legend);
    const stretch = report.add(drawing, "div", {className: "table", tabIndex: 0});

    // ---- Drawing ----
    const heightOf = run => Math.round(Math.min(innerHeight * .6, Math.max(130, run.ranks * 14 + 26)) / (shown().length > 1 ? 1.5 : 1));
    const describe = details => {
        const view = state.view, run = shown()[0];
        const first = Math.floor(view.r0 * run.ranks), last = Math.min(run.ranks, Math.ceil(view.r1 * run.ranks)) - 1;
        return `${report.seconds(view.t0)} to ${report.seconds(view.t1)}, ranks ${first} to ${last}, ` +
            (details ? "intervals as they are" : `cells of ${report.seconds(run.duration_s / run.bins, 3)}`);
    };
    const draw = () => {
        const runsShown = shown(), frame = performance.now();
        let exact = true;
        pictures.forEach((picture, i) => {
            const run = runsShown[i];
            picture.frame.hidden = picture.name.hidden = run === undefined;
            if (run === undefined)
                return;
            picture.name.textContent = runs.length > 1 ? run.name : "";
            picture.name.hidden = runs.length < 2;
            const details = report.drawTimeline(picture.canvas, heightOf(run), run, groups, state);
            exact &&= details;
            if (i === 0)
                status.textContent = describe(details);
            picture.canvas.setAttribute("aria-label", `${run.name}: ${describe(details)}`);
            Object.assign(picture.canvas.dataset, {t0: state.view.t0, t1: state.view.t1, r0: state.view.r0, r1: state.view.r1,
                details: String(details), run: String(run.run), path: String(state.path)});
        });
        report.showStretch(stretch, runsShown, groups, state.view, exact);
        drawing.dataset.frameMs = (performance.now() - frame).toFixed(1);
    };

    // ---- The view ----
    const clamp = (low, high, least, most) => {
        const size = Math.min(Math.max(high - low, least), most), begin = Math.min(Math.max(low, 0), most - size);
        return [begin, begin + size];
    };
    const show = change => {
        const next = {...state.view, ...change}, most = longest();
        [next.t0, next.t1] = clamp(next.t0, next.t1, most * 1e-7, most);
        [next.r0, next.r1] = clamp(next.r0, next.r1, 1 / Math.max(...shown().map(run => run.ranks)), 1);
        state.view = next;
        draw();
    };
    const zoomTime = (factor, at = .5) => {
        const {t0, t1} = state.view, middle = t0 + (t1 - t0) * at;
        show({t0: middle - (middle - t0) / factor, t1: middle + (t1 - middle) / factor});
    };
    const zoomRanks = (factor, at = .5) => {
        const {r0, r1} = state.view, middle = r0 + (r1 - r0) * at;
        show({r0: middle - (middle - r0) / factor, r1: middle + (r1 - middle) / factor});
    };
    const move = (time, ranks) => {
        const {t0, t1, r0, r1} = state.view;
        show({t0: t0 + (t1 - t0) * time, t1: t1 + (t1 - t0) * time, r0: r0 + (r1 - r0) * ranks, r1: r1 + (r1 - r0) * ranks});
    };
    const showAll = () => show({t0: 0, t1: longest(), r0: 0, r1: 1});

    // ---- Keys ----
    const keys = {
        "+": () => zoomTime(2), "=": () => zoomTime(2), "-": () => zoomTime(.5),
        "ArrowLeft": () => move(-.2, 0), "ArrowRight": () => move(.2, 0),
        "ArrowUp": () => move(0, -.2), "ArrowDown": () => move(0, .2),
        "PageUp": () => zoomRanks(2), "PageDown": () => zoomRanks(.5),
        "0": showAll, "Home": showAll,
        "m": () => arrows.click(),
        "c": () => path.click(),
        "n": () => state.next?.(),
    };
    const onKey = event => {
        if (keys[event.key] && !event.ctrlKey && !event.metaKey && !event.altKey) {
            event.preventDefault();
            keys[event.key]();
        }
    };

    // ---- Pointer ----
    const place = (picture, event) => {
        const frame = picture.canvas.getBoundingClientRect(), box = report.timelineBox(frame.width, frame.height);
        const x = event.clientX - frame.left, y = event.clientY - frame.top, part = value => Math.min(1, Math.max(0, value));
        return {x, y, box, time: part((x - box.x) / box.width), rank: part((y - box.y) / box.height)};
    };
    const tell = (picture, run, event) => {
        const {x, y, box, time, rank} = place(picture, event), view = state.view;
        const at = view.t0 + (view.t1 - view.t0) * time;
        const number = Math.min(run.ranks - 1, Math.floor((view.r0 + (view.r1 - view.r0) * rank) * run.ranks));
        if (x < box.x || y > box.y + box.height || at > run.duration_s)
            return picture.hint(0, 0, null);
        const lines = [`${report.rowName(run, number)} at ${report.seconds(at, 6)}`];
        const row = run.intervals?.[number], found = row && report.showsIntervals(run, view, box.width) ? report.intervalAt(row, at) : -1;
        if (found >= 0) {
            const site = run.sites[row.site[found]];
            lines.push(`${site.function} ${site.place}`, `takes ${report.seconds(row.end[found] - row.begin[found])}` +
                (row.waited[found] > 0 ? `, waits ${report.seconds(row.waited[found])} of it` : ""));
        } else if (!report.showsIntervals(run, view, box.width)) {
            const cell = run.cells[number * run.bins + Math.min(run.bins - 1, Math.floor(at / run.duration_s * run.bins))];
            lines.push(cell > 0 ? `mostly ${groups[cell - 1].name}` : "nothing that is told");
        }
        return picture.hint(x, y, lines.join("\n"));
    };
    const drag = (picture, down) => {
        const start = place(picture, down), before = {...state.view}, pans = down.shiftKey;
        const ends = event => ({from: start, to: place(picture, event)});
        const onMove = event => {
            const {from, to} = ends(event);
            if (pans) {
                state.view = before;
                return move(from.time - to.time, from.rank - to.rank);
            }
            const tall = Math.abs(to.y - from.y) > 24, box = from.box;
            picture.selection.hidden = Math.abs(to.x - from.x) < 4;
            Object.assign(picture.selection.style, {
                left: Math.min(from.x, to.x) + "px", width: Math.abs(to.x - from.x) + "px",
                top: (tall ? Math.min(from.y, to.y) : box.y) + "px", height: (tall ? Math.abs(to.y - from.y) : box.height) + "px"});
            return undefined;
        };
        const onUp = event => {
            picture.canvas.removeEventListener("pointermove", onMove);
            picture.selection.hidden = true;
            const {from, to} = ends(event), {t0, t1, r0, r1} = before;
            if (pans || Math.abs(to.x - from.x) < 4)
                return;
            const times = [from.time, to.time].sort((a, b) => a - b), ranks = [from.rank, to.rank].sort((a, b) => a - b);
            const tall = Math.abs(to.y - from.y) > 24;
            show({t0: t0 + (t1 - t0) * times[0], t1: t0 + (t1 - t0) * times[1],
                ...tall ? {r0: r0 + (r1 - r0) * ranks[0], r1: r0 + (r1 - r0) * ranks[1]} : {}});
        };
        picture.canvas.setPointerCapture(down.pointerId);
        picture.canvas.addEventListener("pointermove", onMove);
        picture.canvas.addEventListener("pointerup", onUp, {once: true});
    };
    pictures.forEach((picture, i) => {
        const {canvas} = picture;
        canvas.addEventListener("keydown", onKey);
        canvas.addEventListener("pointerdown", event => { canvas.focus({preventScroll: true}); drag(picture, event); });
        canvas.addEventListener("pointermove", event => tell(picture, shown()[i], event));
        canvas.addEventListener("pointerleave", () => picture.hint(0, 0, null));
        canvas.addEventListener("dblclick", showAll);
        // A page that scrolls must not zoom by the way: only what has been clicked at does.
        canvas.addEventListener("wheel", event => {
            if (document.activeElement !== canvas && !event.ctrlKey)
                return;
            event.preventDefault();
            const {time, rank} = place(picture, event), factor = event.deltaY < 0 ? 1.25 : .8;
            if (event.shiftKey)
                zoomRanks(factor, rank);
            else
                zoomTime(factor, time);
        }, {passive: false});
    });

    // ---- Tools and legend ----
    tool("+", "Zoom in (+)", () => zoomTime(2));
    tool("−", "Zoom out (-)", () => zoomTime(.5));
    tool("All", "Show all (0)", showAll);
    const choice = (text, title, member) => {
        const label = report.add(tools, "label", {title});
        const box = report.add(label, "input", {type: "checkbox", checked: state[member], onchange: () => { state[member] = box.checked; draw(); }});
        label.append(text);
        return box;
    };
    const arrows = choice("messages", "Messages between ranks, where they can be told apart (m)", "arrows");
    const path = choice("critical path", "The chain of activities that the run could not be shorter than (c)", "path");
    if (runs.length > 1) {
        const label = report.add(tools, "label", {textContent: "compared with"});
        const select = report.add(label, "select", {id: "below"});
        report.add(select, "option", {value: -1, textContent: "no other run"});
        runs.forEach((run, i) => report.add(select, "option", {value: i, textContent: run.name}));
        select.onchange = () => { state.below = Number(select.value); showAll(); };
        report.runListeners.push(run => {
            const found = runs.findIndex(one => one.run === run);
            state.main = found < 0 ? state.main : found;
            if (state.below === state.main || state.below < 0)
                state.below = runs.findIndex((_, i) => i !== state.main);
            select.value = String(state.below);
            show({});
        });
    }
    const status = report.add(tools, "span", {className: "status", role: "status"});
    groups.forEach((group, i) => {
        const button = report.add(legend, "button", {type: "button", title: "Show this alone", onclick: () => {
            state.litSites = null;
            state.lit = state.lit === i ? null : i;
            [...legend.querySelectorAll("button")].forEach((one, j) => one.setAttribute("aria-pressed", String(state.lit === j)));
            draw();
        }});
        button.setAttribute("aria-pressed", "false");
        report.add(button, "i", {style: {background: group.colour}});
        button.append(group.name);
    });
    const pale = report.add(legend, "span", {title: "In intervals: the part of a call in which another rank had not come"});
    report.add(pale, "i", {style: {background: "linear-gradient(90deg, color-mix(in srgb, #e69f00 38%, var(--surface)) 50%, #e69f00 50%)"}});
    pale.append("waiting is pale");

    // ---- What tables and the search lead to ----
    const light = test => {
        state.lit = null;
        state.litSites = test === null ? null
            : new Map(runs.map(run => [run, new Set(run.sites.map((_, i) => i).filter(i => test(run.sites[i])))]));
        draw();
    };
    const come = () => {
        pictures[0].canvas.scrollIntoView({block: "center"});
        pictures[0].canvas.focus({preventScroll: true});
    };
    // The longest execution first, then those behind it, and again from the first one.
    const goToSites = (run, sites, name) => {
        const wanted = new Set(sites), found = [];
        (run.intervals || []).forEach((row, rank) => row.site.forEach((site, i) => {
            if (wanted.has(site))
                found.push({rank, begin: row.begin[i], end: row.end[i]});
        }));
        light(site => run.sites.some((one, i) => wanted.has(i) && one.place === site.place && one.function === site.function));
        come();
        if (found.length === 0) {
            state.next = null;
            showAll();
            status.textContent = `${name}: no single execution is on this page; its colour is lit`;
            return;
        }
        found.sort((a, b) => a.begin - b.begin || a.rank - b.rank);
        let at = found.reduce((best, one, i) => one.end - one.begin > found[best].end - found[best].begin ? i : best, 0);
        const go = () => {
            const {rank, begin, end} = found[at], span = Math.min(Math.max(6 * (end - begin), longest() / 200), longest()), rows = Math.min(run.ranks, 16);
            const middle = (begin + end) / 2;
            show({t0: middle - span / 2, t1: middle + span / 2, r0: (rank + .5 - rows / 2) / run.ranks, r1: (rank + .5 + rows / 2) / run.ranks});
            status.textContent = `${name} on ${report.rowName(run, rank)} from ${report.seconds(begin, 6)} to ${report.seconds(end, 6)}; ${at + 1} of ${found.length}, n: the next`;
        };
        state.next = () => {
            at = (at + 1) % found.length;
            go();
        };
        go();
    };
    const goToRank = (run, rank) => {
        const rows = Math.min(run.ranks, 8);
        come();
        show({r0: (rank + .5 - rows / 2) / run.ranks, r1: (rank + .5 + rows / 2) / run.ranks});
        status.textContent = `rank ${rank}`;
    };
    report.timeline = {runs, light, goToSites, goToRank};

    state.below = runs.length > 1 ? 1 : -1;
    if (runs.length > 1)
        document.getElementById("below").value = "1";
    showAll();
    const drawn = performance.now();
    Object.assign(drawing.dataset, {unpackedMs: (unpacked - began).toFixed(1), drawnMs: (drawn - unpacked).toFixed(1)});
    report.redraws.push(draw);
    for (const run of runs)
        await run.details();
    draw();
};
