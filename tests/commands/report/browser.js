// SPDX-License-Identifier: Apache-2.0
//
//     browser.js PAGE RUN.json...
//
// Looks at a page in a headless Chromium, as a user does: by mouse, by keyboard, dark, narrow, on paper and
// without scripts. Whatever is not as it should be is printed, and the exit code is 1.
"use strict";
const fs = require("fs");
const puppeteer = require("puppeteer-core");

const [page_path, ...run_paths] = process.argv.slice(2);
const runs = run_paths.map(path => JSON.parse(fs.readFileSync(path, "utf-8")));
const complaints = [];
const claim = (holds, what) => { if (!holds) complaints.push(what); };
const near = (a, b, tolerance, what) => claim(Math.abs(a - b) <= tolerance * Math.max(1e-12, Math.abs(a), Math.abs(b)), `${what}: ${a} and ${b}`);

const watch = page => {
    page.on("console", message => claim(false, `on the console: ${message.text()}`));
    page.on("pageerror", error => claim(false, `a script failed: ${error.message}`));
    page.on("request", request => claim(request.url().startsWith("file:") || request.url() === "data:,", `a request for ${request.url()}`));
    page.on("dialog", dialog => { claim(false, "a dialog"); dialog.dismiss(); });
};

// Numbers of a column of a table, by row.
const column = (page, id, number) => page.$$eval(`#${id} tbody tr`, (rows, at) => rows.map(row => row.cells[at].dataset.v), number);

const checkTables = async (page, run, number) => {
    const tables = [["time-regions", run.regions, {3: "executions", 4: "seconds_per_rank", 5: "share", 6: "deviation", 7: "extrapolation"}],
        ["time-calls", run.calls, {1: "count", 2: "seconds_per_rank", 3: "share", 4: "waiting_s_per_rank", 5: "bytes"}],
        ["time-sites", run.sites, {2: "count", 3: "seconds_per_rank", 4: "share", 5: "waiting_s_per_rank", 6: "bytes"}]];
    for (const [table, rows, columns] of tables)
        for (const [at, member] of Object.entries(columns)) {
            const found = await column(page, `${table}-${number}`, Number(at));
            claim(found.length === rows.length, `${table}-${number} has ${found.length} rows, the report ${rows.length}`);
            rows.forEach((row, i) => claim((row[member] === null || row[member] === undefined) ? found[i] === undefined : Number(found[i]) === row[member],
                `${table}-${number}, ${member}: ${found[i]} instead of ${row[member]}`));
        }
    const parts = await column(page, `time-parts-${number}`, 1);
    ["computation_s", "imbalance_s", "dependencies_s", "communication_s"].forEach((member, i) =>
        claim(Number(parts[i]) === run.attribution[member], `${member}: ${parts[i]}`));
    const ranks = await page.$$eval(`#ranks-ranks-${number} tbody tr`, rows => rows.map(row => [...row.cells].slice(0, 4).map(cell => Number(cell.dataset.v))));
    for (const [rank, ...times] of ranks)
        ["computation_s", "waiting_s", "communication_s"].forEach((member, i) => claim(times[i] === run.attribution.ranks[rank][member], `rank ${rank}, ${member}`));
    const sorted = ranks.map(row => row[1]);
    claim(sorted.every((time, i) => i === 0 || time <= sorted[i - 1]), "ranks are not in the order of their time");
};

const view = page => page.$eval("canvas.timeline", canvas => ({...canvas.dataset}));
const length = seen => Number(seen.t1) - Number(seen.t0);

const checkTimeline = async page => {
    await page.$eval("canvas.timeline", canvas => canvas.scrollIntoView({block: "center", behavior: "instant"}));
    const all = await view(page), box = await (await page.$("canvas.timeline")).boundingBox();
    near(length(all), runs[0].predicted_s > runs[1].predicted_s ? runs[0].predicted_s : runs[1].predicted_s, 1e-6, "the timeline is as long as the longest run");
    const colours = await page.$eval("canvas.timeline", canvas => new Set(new Uint32Array(
        canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.buffer)).size);
    claim(colours > 4, `the timeline has ${colours} colours`);
    // Keys.
    await page.focus("canvas.timeline");
    await page.keyboard.press("+");
    near(length(await view(page)), length(all) / 2, 1e-9, "+ halves what is seen");
    await page.keyboard.press("ArrowLeft");
    near(Number((await view(page)).t0), length(all) * .15, 1e-9, "an arrow moves by a fifth");
    await page.keyboard.press("PageUp");
    near(Number((await view(page)).r0), .25, 1e-9, "PageUp zooms into ranks");
    for (let i = 0; i < 4; i++)
        await page.keyboard.press("+");
    claim((await view(page)).details === "true", "zoomed in there are no intervals");
    await page.keyboard.press("0");
    near(length(await view(page)), length(all), 1e-9, "0 shows all");
    const pixels = () => page.$eval("canvas.timeline", canvas => canvas.toDataURL());
    const plain = await pixels();
    await page.keyboard.press("c");
    claim(await pixels() !== plain, "c does not draw the critical path");
    await page.keyboard.press("c");
    claim(await pixels() === plain, "a second c does not take the critical path away");
    // The mouse: from a quarter to the half.
    const left = box.x + 46, width = box.width - 50, y = box.y + 40;
    await page.mouse.move(left + width / 4, y);
    await page.mouse.down();
    await page.mouse.move(left + width / 2, y + 2, {steps: 3});
    await page.mouse.up();
    const dragged = await view(page);
    near(Number(dragged.t0), length(all) / 4, .01, "a drag begins where it began");
    near(Number(dragged.t1), length(all) / 2, .01, "a drag ends where it ended");
    await page.mouse.wheel({deltaY: -100});
    await page.waitForFunction(before => { const seen = document.querySelector("canvas.timeline").dataset; return seen.t1 - seen.t0 < before * .9; }, {}, length(dragged));
    await page.mouse.move(left + width / 3, y + 5);
    const hint = await page.$eval("canvas.timeline ~ .hint", element => element.hidden ? "" : element.textContent);
    claim(/^rank \d+ at /.test(hint), `the hint says '${hint}'`);
    await page.mouse.click(left + width / 3, y, {clickCount: 2});
    near(length(await view(page)), length(all), 1e-9, "a double click shows all");
    // Two runs, one zoom.
    const both = await page.$$eval("canvas.timeline", all => all.map(canvas => ({...canvas.dataset})));
    claim(both.length === 2 && both[0].t1 === both[1].t1 && both[0].run !== both[1].run, "two runs are not below each other");
};

const shownRun = page => page.$eval("canvas.timeline", canvas => Number(canvas.dataset.run));
const visible = (page, selector) => page.$eval(selector, element => element.getClientRects().length > 0);

const checkRuns = async page => {
    await page.keyboard.press("]");
    claim(await shownRun(page) === 1, "] does not show the next run");
    claim(await visible(page, "#time-regions-1") && !await visible(page, "#time-regions-0"), "the tables are not those of the next run");
    await page.select("#run", "0");
    claim(await shownRun(page) === 0 && await visible(page, "#time-regions-0"), "the choice above does not show the first run");
};

const checkSorting = async page => {
    const sorted = async () => (await column(page, "time-calls-0", 1)).map(Number);
    const before = await sorted();
    await page.click("#time-calls-0 th:nth-child(2)");
    claim(JSON.stringify(await sorted()) === JSON.stringify(before.slice().sort((a, b) => b - a)), "a click on a heading does not sort");
    await page.focus("#time-calls-0 th:nth-child(2)");
    await page.keyboard.press("Enter");
    claim(JSON.stringify(await sorted()) === JSON.stringify(before.slice().sort((a, b) => a - b)), "Enter on a heading does not sort the other way");
};

// Rows of the sums below the timeline: name, and numbers of both runs.
const sums = page => page.$$eval("#stretch tbody tr", rows => rows.map(row => [row.cells[0].textContent, ...[...row.cells].slice(1).map(cell => Number(cell.dataset.v))]));
const timeOf = (rows, at) => rows.filter(([name]) => !/ sent$/.test(name)).reduce((sum, row) => sum + row[at], 0);
const rowOf = (rows, name) => rows.find(row => row[0] === name) || [name, NaN, NaN];

const checkSums = async page => {
    await page.focus("canvas.timeline");
    await page.keyboard.press("0");
    const all = await sums(page);
    runs.forEach((run, i) => {
        const busy = run.regions.reduce((sum, row) => sum + row.seconds_per_rank, 0) + run.calls.reduce((sum, row) => sum + row.seconds_per_rank, 0);
        near(timeOf(all, 1 + i), busy * run.ranks, 1e-4, `run ${i}: the sums of all that is seen`);
        const sites = run.sites.filter(site => site.name === "MPI_Send" || site.name === "MPI_Isend");
        claim(rowOf(all, "messages sent")[1 + i] === sites.reduce((sum, site) => sum + site.count, 0), `run ${i} sends ${rowOf(all, "messages sent")[1 + i]} messages`);
        near(rowOf(all, "bytes sent")[1 + i], sites.reduce((sum, site) => sum + site.bytes, 0), 1e-9, `run ${i}: bytes`);
    });
    claim(all.every(row => Math.abs(row[3] - (row[2] - row[1])) <= 1e-12 + 1e-9 * Math.abs(row[3])), "the differences of two runs are none");
    // Half of the time and the other half are all; single executions and cells say the same.
    const length = Number((await view(page)).t1);
    await page.keyboard.press("+");
    await page.keyboard.press("+");
    const part = await sums(page), seen = await view(page);
    claim(timeOf(part, 1) < timeOf(all, 1) * .6, `a quarter of the time has ${timeOf(part, 1)} of ${timeOf(all, 1)} s`);
    for (let i = 0; i < 3; i++)
        await page.keyboard.press("PageUp");
    const fewer = await sums(page), ranks = await view(page);
    if (ranks.details === "true" && seen.details === "true")
        claim(timeOf(fewer, 1) < timeOf(part, 1), "sums of fewer ranks are not smaller");
    claim(length > 0, "nothing is seen");
    await page.keyboard.press("0");
    claim(!/unpacked in/.test(await page.$eval("body", body => body.innerText)), "the page tells how long unpacking took");
};

const checkSearch = async page => {
    const rows = table => page.$$eval(`#${table} tbody tr`, all => all.filter(row => row.getClientRects().length > 0).length);
    const before = await rows("time-calls-0"), name = runs[0].calls[0].name;
    await page.keyboard.press("Escape");
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press("/");
    claim(await page.evaluate(() => document.activeElement.id) === "search", "/ does not lead to the box");
    await page.keyboard.type(name.toLowerCase());
    const found = await rows("time-calls-0"), wanted = runs[0].calls.filter(call => call.name.includes(name)).length;
    claim(found === wanted && found < before, `a search for ${name} leaves ${found} of ${before} functions, not ${wanted}`);
    claim(/^\d+ rows$/.test(await page.$eval(".bar-above [role=status]", element => element.textContent)), "how many rows were found is not told");
    const lit = await page.$eval("canvas.timeline", canvas => canvas.toDataURL());
    await page.$eval("#search", box => { box.value = ""; box.dispatchEvent(new Event("input")); });
    claim(await page.$eval("canvas.timeline", canvas => canvas.toDataURL()) !== lit, "a search does not show in the timeline");
    claim(await rows("time-calls-0") === before, "an empty search leaves rows out");
    await page.focus("#search");
    await page.keyboard.type("rank 2");
    await page.keyboard.press("Enter");
    claim(await page.$eval(".tools .status", element => element.textContent) === "rank 2", "a rank is not gone to");
    await page.$eval("#search", box => { box.value = ""; box.dispatchEvent(new Event("input")); });
};

const checkLinks = async page => {
    await page.focus("#time-calls-0 tbody tr button.goto");
    const name = await page.$eval("#time-calls-0 tbody tr", row => row.cells[0].textContent), label = await page.$eval("#time-calls-0 button.goto", button => button.getAttribute("aria-label"));
    claim(label === `Show ${name} in the timeline`, `the link is called ${label}`);
    await page.keyboard.press("Enter");
    const status = () => page.$eval(".tools .status", element => element.textContent);
    const first = await status(), seen = await view(page);
    claim(first.startsWith(name) && /on rank \d+ from /.test(first), `the link leads to '${first}'`);
    claim(seen.t1 - seen.t0 < runs[0].predicted_s && await page.evaluate(() => document.activeElement.className) === "timeline", "the link does not zoom in");
    await page.keyboard.press("n");
    claim(await status() !== first, "n does not go to the next execution");
    const rank = Number(await page.$eval("#ranks-ranks-0 tbody tr", row => row.cells[0].dataset.v));
    await page.click("#ranks-ranks-0 tbody tr button.goto");
    claim(await status() === `rank ${rank}`, `the row of rank ${rank} leads to '${await status()}'`);
    await page.keyboard.press("0");
};

const checkHelp = async page => {
    await page.keyboard.press("?");
    claim(await visible(page, "#help"), "? shows no help");
    await page.keyboard.press("Escape");
    claim(!await visible(page, "#help"), "Escape does not close the help");
    const nameless = await page.$$eval("button, input, select, canvas", all => all.filter(one => one.getClientRects().length > 0 &&
        !(one.textContent.trim() || one.getAttribute("aria-label") || one.labels?.length)).map(one => one.outerHTML.slice(0, 80)));
    claim(nameless.length === 0, `without a name for a screen reader: ${nameless}`);
};

const checkHostile = async page => {
    claim(await page.evaluate(() => window.harmed === undefined && document.querySelectorAll("main img").length === 0), "a name of the application became HTML");
    const text = await page.$eval("body", body => body.textContent);
    claim(text.split(process.env.HOSTILE).length > 3, "the names of the application are not told as they are");
};

const checkLooks = async page => {
    const ground = () => page.$eval("body", body => getComputedStyle(body).backgroundColor);
    const light = await ground();
    await page.emulateMediaFeatures([{name: "prefers-color-scheme", value: "dark"}]);
    claim(await ground() !== light, "dark is not dark");
    await page.setViewport({width: 400, height: 800});
    // Pictures are made anew when the page hears of its new width, some time after that.
    await page.waitForFunction(() => document.documentElement.scrollWidth <= 400, {timeout: 10000})
        .catch(async () => claim(false, `on 400 pixels the page is ${await page.evaluate(() => document.documentElement.scrollWidth)} wide`));
    await page.emulateMediaType("print");
    claim(!await visible(page, ".contents"), "on paper there is a list of chapters to click at");
    claim(await page.$$eval("#skeleton table tbody tr", rows => rows.every(row => row.getClientRects().length > 0)), "on paper rows are missing");
    await page.emulateMediaType("screen");
};

const checkWithoutScripts = async browser => {
    const page = await browser.newPage();
    watch(page);
    await page.setJavaScriptEnabled(false);
    await page.goto("file://" + page_path);
    for (const selector of ["#prediction .headline", "#time-regions-0", "#time-regions-1", "#path-activities-0", "#messages-pairs-1", ".run-name"])
        claim(await visible(page, selector), `without scripts ${selector} is not there`);
    claim(!await visible(page, "figure"), "without scripts there are empty figures");
};

const main = async () => {
    const browser = await puppeteer.launch({executablePath: "/usr/bin/chromium", args: ["--headless=new", "--disable-gpu", ...process.getuid() === 0 ? ["--no-sandbox"] : []]});
    try {
        const page = await browser.newPage();
        watch(page);
        await page.setViewport({width: 1280, height: 900});
        await page.goto("file://" + page_path);
        await page.waitForFunction(() => document.documentElement.dataset.ready !== undefined);
        for (let i = 0; i < runs.length; i++)
            await checkTables(page, runs[i], i);
        await checkTimeline(page);
        await checkRuns(page);
        await checkSums(page);
        await checkSearch(page);
        await checkLinks(page);
        await checkHelp(page);
        await checkSorting(page);
        await checkHostile(page);
        await checkLooks(page);
        await checkWithoutScripts(browser);
    } finally {
        await browser.close();
    }
};

main().catch(error => complaints.push(error.stack)).then(() => {
    complaints.forEach(complaint => console.log(complaint));
    process.exit(complaints.length > 0 ? 1 : 0);
});
