// SPDX-License-Identifier: Apache-2.0
//
// The runs of a timeline, unpacked: cells of the whole run, and intervals and messages of a window.
"use strict";
(() => {
    // Safe for all kinds of sight: computation in blues and greens, MPI in yellows and reds, devices in violets.
    const REGIONS = ["#0072b2", "#56b4e9", "#009e73", "#1b4f72", "#88d0c8", "#7a95c9"];
    const CALLS = ["#e69f00", "#d55e00", "#f0e442", "#cc79a7", "#8f2d56", "#c7a76c", "#a65628"];
    const OPERATIONS = ["#6a51a3", "#b39ddb", "#4a148c", "#9575cd", "#d1c4e9"];
    const COLOURS = {computation: REGIONS, MPI: CALLS, device: OPERATIONS};
    const REST = {computation: "#9db4c0", MPI: "#c9bfae", device: "#c5b8d6"};

    const colourOf = (group, counts) => group.rest ? REST[group.kind] : COLOURS[group.kind][counts[group.kind]++];

    const colourAll = groups => {
        const counts = {computation: 0, MPI: 0, device: 0};
        return groups.map(group => ({...group, colour: colourOf(group, counts)}));
    };

    // Rows of lanes of devices are behind those of the ranks; beside the picture there is room for "d0 e1".
    report.laneOf = (run, row) => run.lanes[row - (run.ranks - run.lanes.length)];
    report.rowName = (run, row) => report.laneOf(run, row) ?? `rank ${row}`;
    report.rowLabel = (run, row) => report.laneOf(run, row)?.replace(/(\w)\w* (\d+),? ?/g, "$1$2 ").trim() ?? String(row);

    // Of each rank typed arrays: begin and end in seconds, site, seconds waited.
    const readIntervals = (bytes, ranks) => {
        const numbers = report.varints(bytes), all = [];
        for (let rank = 0; rank < ranks; rank++) {
            const count = numbers.more() ? numbers.next() : 0;
            const row = {begin: new Float64Array(count), end: new Float64Array(count),
                site: new Uint32Array(count), waited: new Float64Array(count), count};
            for (let i = 0, last = 0; i < count; i++) {
                const begin = last + numbers.signed(), end = begin + numbers.next();
                row.begin[i] = begin * 1e-9;
                row.end[i] = end * 1e-9;
                row.site[i] = numbers.next();
                row.waited[i] = numbers.next() * 1e-9;
                last = end;
            }
            all.push(row);
        }
        return all;
    };

    const readMessages = bytes => {
        const numbers = report.varints(bytes), all = [];
        while (numbers.more())
            all.push({from: numbers.next(), sent: numbers.next() * 1e-9, to: numbers.next(),
                received: numbers.next() * 1e-9, bytes: numbers.next()});
        return all;
    };

    const readPath = bytes => {
        const numbers = report.varints(bytes), all = [];
        for (let rank = 0, at = 0; numbers.more();) {
            rank += numbers.signed();
            const begin = at + numbers.signed();
            at = begin + numbers.next();
            all.push({rank, begin: begin * 1e-9, end: at * 1e-9});
        }
        return all;
    };

    // Runs of equal cells: value, length.
    const readCells = (bytes, count) => {
        const numbers = report.varints(bytes), cells = new Uint8Array(count);
        for (let at = 0; numbers.more();) {
            const value = numbers.next(), length = numbers.next();
            if (value !== 0)
                cells.fill(value, at, at + length);
            at += length;
        }
        return cells;
    };

    // Rows of numbers, one for each cell, as sums up to each cell's begin.
    const readSums = (bytes, rows, bins) => {
        const numbers = report.varints(bytes), sums = new Float64Array(rows * (bins + 1));
        for (let row = 0; row < rows; row++)
            for (let i = 0, at = row * (bins + 1); i < bins; i++, at++)
                sums[at + 1] = sums[at] + (numbers.more() ? numbers.next() : 0);
        return sums;
    };

    const readRun = groups => async run => ({
        ...run,
        sums: readSums(await report.unpack(run.sums), groups.length, run.bins).map(ns => ns * 1e-9),
        sent: readSums(await report.unpack(run.sent), 2, run.bins),
        cells: readCells(await report.unpack(run.cells), run.ranks * run.bins),
        intervals: null,
        messages: [],
        steps: [],
        details: async function () {
            this.intervals = readIntervals(await report.unpack(run.intervals), run.ranks);
            this.messages = readMessages(await report.unpack(run.messages));
            this.steps = readPath(await report.unpack(run.path));
        },
    });

    report.readTimeline = async data => ({
        groups: colourAll(data.groups),
        runs: await Promise.all(data.runs.map(readRun(data.groups))),
    });

    // The first interval of the rank that ends behind that time, or the number of them.
    report.firstInterval = (row, time) => {
        let low = 0, high = row.count;
        while (low < high) {
            const middle = (low + high) >> 1;
            if (row.end[middle] <= time)
                low = middle + 1;
            else
                high = middle;
        }
        return low;
    };

    // The interval of the rank at that time, or -1.
    report.intervalAt = (row, time) => {
        const first = report.firstInterval(row, time);
        return first < row.count && row.begin[first] <= time ? first : -1;
    };
})();
