// SPDX-License-Identifier: Apache-2.0
//
// Who sends how much to whom: bytes as a shade, in steps of powers, from rank (down) to rank (across).
"use strict";
report.figures.matrix = async function (drawing, data) {
    const bytes = await report.unpackFloats(data.bytes), {size, block, ranks} = data;
    const canvas = report.add(drawing, "canvas"), hint = report.hint(drawing);
    const scaleBar = report.add(drawing, "div", {className: "legend"});
    const used = bytes.filter(number => number > 0);
    const least = used.reduce((low, number) => Math.min(low, number), Infinity), most = used.reduce((high, number) => Math.max(high, number), 0);
    // From little to much; luminance alone tells it.
    const LIGHT = [[222, 235, 247], [120, 178, 219], [33, 113, 181], [8, 48, 107]];
    const DARK = [[30, 52, 82], [33, 101, 160], [96, 172, 221], [226, 240, 250]];
    const shade = part => {
        const stops = report.isDark() ? DARK : LIGHT, at = Math.min(.9999, Math.max(0, part)) * 3, i = Math.floor(at);
        return stops[i].map((channel, k) => Math.round(channel + (stops[i + 1][k] - channel) * (at - i)));
    };
    const partOf = number => most > least ? Math.log(number / least) / Math.log(most / least) : 1;
    const LEFT = 46, TOP = 18;
    let box = null;

    const draw = () => {
        const side = Math.min(drawing.clientWidth - LEFT, 560, innerHeight * .75);
        const {context, ratio} = report.canvas(canvas, side + TOP);
        box = {x: LEFT, y: TOP, side};
        const pixelsWide = Math.round(side * ratio), image = context.createImageData(pixelsWide, pixelsWide);
        const pixels = new Uint32Array(image.data.buffer), empty = report.isDark() ? 0xff241f1b : 0xfff7f6f5;
        const colours = new Map();
        for (let y = 0; y < pixelsWide; y++)
            for (let x = 0; x < pixelsWide; x++) {
                const number = bytes[Math.floor(y * size / pixelsWide) * size + Math.floor(x * size / pixelsWide)];
                let colour = number > 0 ? colours.get(number) : empty;
                if (colour === undefined) {
                    const [red, green, blue] = shade(partOf(number));
                    colour = ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
                    colours.set(number, colour);
                }
                pixels[y * pixelsWide + x] = colour;
            }
        context.putImageData(image, Math.round(LEFT * ratio), Math.round(TOP * ratio));
        context.strokeStyle = report.colour("line");
        context.strokeRect(LEFT + .5, TOP + .5, side - 1, side - 1);
        context.fillStyle = report.colour("muted");
        const step = Math.max(1, Math.ceil(report.ticks(0, ranks, Math.min(ranks, side / 40)).step));
        for (let rank = 0; rank < ranks; rank += step) {
            const at = (rank + .5) / (size * block) * side;
            context.textAlign = "right";
            context.textBaseline = "middle";
            context.fillText(String(rank), LEFT - 5, TOP + at);
            context.textAlign = "center";
            context.textBaseline = "bottom";
            context.fillText(String(rank), LEFT + at, TOP - 3);
        }
        scaleBar.replaceChildren();
        const stops = [0, .25, .5, .75, 1].map(part => `rgb(${shade(part).join(",")})`).join(",");
        const bar = report.add(scaleBar, "span", {textContent: used.length > 0 ? report.bytes(least) : ""});
        report.add(bar, "i", {style: {width: "8rem", background: `linear-gradient(90deg,${stops})`}});
        bar.append(report.bytes(most));
    };
    const name = at => block === 1 ? `rank ${at}` : `ranks ${at * block} to ${Math.min(ranks, (at + 1) * block) - 1}`;
    canvas.addEventListener("pointermove", event => {
        const frame = canvas.getBoundingClientRect(), x = event.clientX - frame.left, y = event.clientY - frame.top;
        const to = Math.floor((x - box.x) / box.side * size), from = Math.floor((y - box.y) / box.side * size);
        const inside = from >= 0 && to >= 0 && from < size && to < size;
        hint(x, y, inside ? `${name(from)} to ${name(to)}\n${report.bytes(bytes[from * size + to])}` : null);
    });
    canvas.addEventListener("pointerleave", () => hint(0, 0, null));
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", "bytes from rank to rank; the table below has the largest");
    report.redraws.push(draw);
    draw();
};
