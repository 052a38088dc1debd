// SPDX-License-Identifier: Apache-2.0
//
// Figures of numbers: the interval, bars of ranks, scaling and models (the last two by uPlot).
"use strict";
(() => {
    // ---- The interval ----
    report.figures.interval = (drawing, data) => {
        const most = data.high_s * 1.12, part = seconds => `${(100 * seconds / most).toFixed(2)}%`;
        const frame = report.add(drawing, "div", {className: "interval"});
        report.add(frame, "div", {className: "axis"});
        report.add(frame, "div", {className: "band", style: {left: part(data.low_s), width: part(data.high_s - data.low_s)}});
        report.add(frame, "div", {className: "mark", style: {left: part(data.predicted_s)}});
        for (const [name, at] of [["low_s", 0], ["predicted_s", 1], ["high_s", 2]])
            report.add(frame, "span", {textContent: report.seconds(data[name], 3), style: {left: part(data[name]),
                fontWeight: at === 1 ? 600 : 400, top: at === 1 ? "-.85rem" : "1.95rem"}});
    };

    // ---- Ranks ----
    const PARTS = [["computation_s", "computation", "#0072b2"], ["waiting_s", "waiting", "#b9c0c9"], ["communication_s", "communication", "#e69f00"]];

    report.figures.ranks = async (drawing, data) => {
        const columns = {rank: await report.unpackFloats(data.rank)};
        for (const [member] of PARTS)
            columns[member] = await report.unpackFloats(data[member]);
        const canvas = report.add(drawing, "canvas"), hint = report.hint(drawing), legend = report.add(drawing, "div", {className: "legend"});
        for (const [, name, colour] of PARTS)
            report.add(report.add(legend, "span"), "i", {style: {background: colour}}).after(name);
        const sum = i => PARTS.reduce((all, [member]) => all + Math.max(0, columns[member][i]), 0);
        let most = 0;
        for (let i = 0; i < data.count; i++)
            most = Math.max(most, sum(i));
        const LEFT = 56, TOP = 6, BOTTOM = 6;
        const draw = () => {
            const {context, width, height} = report.canvas(canvas, 190), scale = report.scale(most);
            const bar = (width - LEFT) / data.count, tall = height - TOP - BOTTOM, wide = Math.max(1, bar - (bar > 5 ? 1 : 0));
            context.textAlign = "right";
            context.textBaseline = "middle";
            for (const tick of report.ticks(0, most / scale.factor, 4).found) {
                const y = TOP + tall - tick * scale.factor / most * tall;
                context.fillStyle = report.colour("line");
                context.fillRect(LEFT, y, width - LEFT, 1);
                context.fillStyle = report.colour("muted");
                context.fillText(`${report.digits(tick)} ${scale.name}`, LEFT - 6, y);
            }
            const every = Math.max(1, Math.floor(1 / bar));
            for (let i = 0; i < data.count; i += every) {
                let y = TOP + tall;
                for (const [member, , colour] of PARTS) {
                    const part = Math.max(0, columns[member][i]) / most * tall;
                    context.fillStyle = colour;
                    context.fillRect(LEFT + i * bar, y - part, wide, part);
                    y -= part;
                }
            }
        };
        canvas.addEventListener("pointermove", event => {
            const frame = canvas.getBoundingClientRect(), x = event.clientX - frame.left;
            const i = Math.floor((x - LEFT) / (frame.width - LEFT) * data.count);
            hint(x, event.clientY - frame.top, i < 0 || i >= data.count ? null : [`rank ${columns.rank[i]}`,
                ...PARTS.map(([member, name]) => `${name} ${report.seconds(columns[member][i])}`)].join("\n"));
        });
        canvas.addEventListener("pointerleave", () => hint(0, 0, null));
        canvas.setAttribute("role", "img");
        canvas.setAttribute("aria-label", "time of each rank; the table below has the same numbers");
        report.redraws.push(draw);
        draw();
    };

    // ---- uPlot ----
    const axis = (label, values) => ({label, values, stroke: report.colour("muted"), grid: {stroke: report.colour("line"), width: 1},
        ticks: {stroke: report.colour("line"), width: 1}, font: "11.5px system-ui, sans-serif", labelFont: "12px system-ui, sans-serif", size: 62});
    const secondsAxis = label => axis(label, (_, ticks) => ticks.map(tick => tick === null ? "" : report.seconds(tick, 3)));
    const secondsValue = (_, value) => value === null || value === undefined ? "–" : report.seconds(value);

    // Draws anew with the page's colours and width.
    const plot = (drawing, height, options, columns) => {
        let chart = null;
        const draw = () => {
            chart?.destroy();
            chart = new uPlot({...options(), width: Math.max(260, drawing.clientWidth), height}, columns, drawing);
        };
        report.redraws.push(draw);
        draw();
    };

    // ---- Scaling ----
    const SERIES = [["run of this report", "predicted", "accent"], ["point of the curve", "simulated for the curve", "muted"],
        ["curve", "curve", "accent"], ["measured", "measured", "measured"]];

    report.figures.scaling = (drawing, data) => {
        const ranks = [...new Set(data.points.map(point => point.ranks))].sort((a, b) => a - b);
        const used = SERIES.filter(([source]) => data.points.some(point => point.source === source));
        const columns = [ranks];
        const pick = (source, member) => ranks.map(count => data.points.find(point => point.source === source && point.ranks === count)?.[member] ?? null);
        for (const [source] of used)
            columns.push(pick(source, "time_s"));
        const banded = data.points.some(point => point.source === "curve" && point.low_s !== null) ? "curve" : "run of this report";
        columns.push(pick(banded, "low_s"), pick(banded, "high_s"));
        plot(drawing, 320, () => ({
            scales: {x: {time: false, distr: 3, log: 2}, y: {distr: 3}},
            axes: [{...axis("ranks", (_, ticks) => ticks.map(tick => tick === null ? "" : report.count(tick))), size: 44}, secondsAxis("run time")],
            series: [{label: "ranks", value: (_, value) => value === null ? "–" : report.count(value)},
                ...used.map(([source, label, colour]) => ({label, stroke: report.colour(colour), value: secondsValue, spanGaps: true,
                    width: source === "curve" || source === "run of this report" ? 2 : 0, dash: source === "curve" ? [6, 4] : undefined,
                    points: {show: true, size: 8, stroke: report.colour(colour), fill: source === "measured" ? report.colour("surface") : report.colour(colour)}})),
                ...["from", "to"].map(label => ({label: `95 % ${label}`, stroke: "transparent", value: secondsValue, spanGaps: true, points: {show: false}}))],
            bands: [{series: [used.length + 2, used.length + 1], fill: report.colour("shade")}],
        }), columns);
    };

    // ---- Models ----
    report.figures.model = (drawing, data, figure) => {
        const points = data.points.slice().sort((a, b) => a[0] - b[0]);
        const wide = data.min > 0 && data.max / data.min > 8;
        if (!figure.parentElement.classList.contains("charts")) {
            const before = figure.previousElementSibling, grid = before?.classList.contains("charts") ? before : document.createElement("div");
            grid.className = "charts";
            figure.before(grid);
            grid.append(figure);
        }
        const shadeTrained = chart => {
            const {left, top, width, height} = chart.bbox, context = chart.ctx;
            const from = chart.valToPos(data.min, "x", true), to = chart.valToPos(data.max, "x", true);
            context.fillStyle = report.colour("shade");
            context.fillRect(Math.max(left, from), top, Math.min(left + width, to) - Math.max(left, from), height);
        };
        plot(drawing, 220, () => ({
            scales: {x: {time: false, distr: wide ? 3 : 1}, y: {distr: wide ? 3 : 1}},
            axes: [{...axis(`${data.feature}; trained range shaded`, (_, ticks) => ticks.map(tick => tick === null ? "" : report.digits(tick))), size: 44}, secondsAxis("one execution")],
            series: [{label: data.feature},
                {label: "sample", stroke: report.colour("accent"), width: 0, value: secondsValue, points: {show: true, size: 7, stroke: report.colour("accent"), fill: "transparent", width: 1.4}},
                {label: "model", stroke: report.colour("measured"), width: 0, value: secondsValue, points: {show: true, size: 4, stroke: report.colour("measured"), fill: report.colour("measured")}}],
            hooks: {drawClear: [shadeTrained]},
        }), [0, 1, 2].map(column => points.map(point => point[column])));
    };
})();
