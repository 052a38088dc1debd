// SPDX-License-Identifier: Apache-2.0
//
// What all figures use: numbers with units, colours of the page, hints, and packed bytes.
"use strict";
const report = {
    figures: {}, // kind: function (element for the drawing, data, figure)
    redraws: [], // called when the size or the colours of the page change
};

report.scale = function (seconds) {
    const size = Math.abs(seconds);
    for (const [factor, name] of [[1, "s"], [1e-3, "ms"], [1e-6, "µs"]])
        if (size >= factor)
            return {factor, name};
    return {factor: 1e-9, name: "ns"};
};

report.digits = function (number, digits = 4) {
    return String(Number(number.toPrecision(digits)));
};

report.seconds = function (seconds, digits = 4) {
    if (!(Math.abs(seconds) > 0))
        return "0 s";
    const scale = report.scale(seconds);
    return `${report.digits(seconds / scale.factor, digits)} ${scale.name}`;
};

report.bytes = function (bytes) {
    for (const [factor, name] of [[1e12, "TB"], [1e9, "GB"], [1e6, "MB"], [1e3, "kB"]])
        if (bytes >= factor)
            return `${report.digits(bytes / factor)} ${name}`;
    return `${report.digits(bytes)} B`;
};

report.count = function (number) {
    return Math.round(number).toLocaleString("en-US");
};

report.colour = function (name) {
    return getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
};

report.isDark = function () {
    return matchMedia("(prefers-color-scheme: dark)").matches;
};

report.add = function (parent, tag, properties = {}) {
    const element = document.createElement(tag);
    const {data, style, ...others} = properties;
    Object.assign(element, others);
    Object.assign(element.dataset, data || {});
    Object.assign(element.style, style || {});
    return parent.appendChild(element);
};

// A canvas as wide as its parent; its context counts CSS pixels.
report.canvas = function (canvas, height) {
    const ratio = window.devicePixelRatio || 1, width = canvas.parentElement.clientWidth || 600;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    canvas.style.height = height + "px";
    const context = canvas.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.font = "11.5px system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif";
    return {context, width, height, ratio};
};

report.unpack = async function (text) {
    const raw = atob(text), bytes = new Uint8Array(raw.length);
    for (let i = 0; i < raw.length; i++)
        bytes[i] = raw.charCodeAt(i);
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
};

report.unpackFloats = async function (text) {
    return new Float32Array((await report.unpack(text)).buffer);
};

// Numbers that packed.c wrote; Number holds all of them exactly up to 2^53.
report.varints = function (bytes) {
    let at = 0;
    const next = () => {
        let number = 0, factor = 1;
        for (; bytes[at] >= 128; factor *= 128)
            number += (bytes[at++] - 128) * factor;
        return number + bytes[at++] * factor;
    };
    const signed = () => {
        const number = next();
        return number % 2 === 0 ? number / 2 : -(number + 1) / 2;
    };
    return {next, signed, more: () => at < bytes.length};
};

// A text beside the pointer; null hides it.
report.hint = function (drawing) {
    const element = report.add(drawing, "div", {className: "hint", hidden: true});
    return (x, y, text) => {
        element.hidden = text === null;
        if (text === null)
            return;
        element.textContent = text;
        const left = x + 14 + element.offsetWidth > drawing.clientWidth ? x - 14 - element.offsetWidth : x + 14;
        element.style.left = Math.max(0, left) + "px";
        element.style.top = y + 14 + "px";
    };
};

// Round numbers for an axis: about `wanted` of them from low to high.
report.ticks = function (low, high, wanted) {
    const raw = (high - low) / Math.max(1, wanted), power = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 5, 10].map(factor => factor * power).find(size => size >= raw) || raw;
    const found = [];
    for (let i = Math.ceil(low / step); i * step <= high && found.length < 100; i++)
        found.push(i * step);
    return {step, found};
};
