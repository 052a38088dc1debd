// SPDX-License-Identifier: Apache-2.0
//
// A box above that finds ranks, places and functions in all tables and in the timeline; rows of tables that lead to
// their place in the timeline; help, and the page on paper.
"use strict";
(() => {
    const plain = text => text.replace(/[\0-\x1f\x7f]/g, "?").toLowerCase();
    const rows = () => [...document.querySelectorAll("main section table tbody tr")];
    const timeline = () => report.timeline;

    // ---- Rows that lead to the timeline ----

    // What a row is about: its place and function where it has both, else its function alone.
    const sitesOf = (row, run) => {
        const codes = new Set([...row.querySelectorAll("td.text code")].map(code => plain(code.textContent)));
        const of = test => run.sites.map((site, i) => test(plain(site.place), plain(site.function)) ? i : -1).filter(i => i >= 0);
        const both = of((place, name) => place !== "" && codes.has(place) && codes.has(name));
        return both.length > 0 || codes.size !== 1 ? both : of((place, name) => codes.has(name));
    };
    const addLink = (cell, name, go) => {
        const button = document.createElement("button");
        button.type = "button";
        button.className = "goto";
        button.title = "Show in the timeline";
        button.setAttribute("aria-label", `Show ${name} in the timeline`);
        button.append(...cell.childNodes);
        button.onclick = go;
        cell.append(button);
    };
    const linkRow = row => {
        const group = row.closest(".run"), run = timeline().runs.find(one => group && one.run === Number(group.dataset.run));
        const first = row.cells[0], what = row.closest("table").dataset.what;
        if (run === undefined)
            return;
        if (what === "ranks")
            return void addLink(first, `rank ${first.textContent}`, () => timeline().goToRank(run, Number(first.dataset.v)));
        const sites = sitesOf(row, run);
        if (sites.length > 0)
            addLink(first, first.textContent, () => timeline().goToSites(run, sites, first.textContent));
    };

    // ---- Search ----

    const words = text => plain(text).split(/\s+/).filter(word => word !== "");
    const rankOf = text => (/^\s*(?:rank\s*)?(\d+)\s*$/i.exec(text) || [])[1];
    const matches = (text, wanted) => wanted.every(word => text.includes(word));
    const textOf = row => plain((row.closest("table").dataset.what === "ranks" ? "rank " : "") +
        [...row.cells].filter(cell => cell.classList.contains("text") || cell.cellIndex === 0).map(cell => cell.textContent).join(" "));

    const search = (text, told) => {
        const wanted = words(text);
        document.documentElement.classList.toggle("searching", wanted.length > 0);
        const found = rows().filter(row => {
            const holds = wanted.length === 0 || matches(textOf(row), wanted);
            row.classList.toggle("unmatched", !holds);
            return holds && row.getClientRects().length > 0;
        });
        for (const table of document.querySelectorAll("main section .table"))
            table.classList.toggle("unmatched", wanted.length > 0 && table.querySelector("tbody tr:not(.unmatched)") === null);
        if (timeline())
            timeline().light(wanted.length === 0 ? null : (site => matches(plain(`${site.function} ${site.place}`), wanted)));
        told.textContent = wanted.length === 0 ? "" : `${found.length} rows`;
    };
    const goToFirst = text => {
        const rank = rankOf(text), run = timeline()?.runs.find(one => one.run === report.run) || timeline()?.runs[0];
        if (run && rank !== undefined && Number(rank) < run.ranks - run.lanes.length)
            return timeline().goToRank(run, Number(rank));
        return rows().find(row => row.getClientRects().length > 0 && !row.classList.contains("unmatched"))?.scrollIntoView({block: "center"});
    };

    // ---- The bar above ----

    const bar = report.add(document.querySelector("body > header"), "div", {className: "bar-above"});
    bar.setAttribute("role", "search");
    const box = report.add(bar, "input", {type: "search", id: "search", placeholder: "rank, place, function"});
    box.setAttribute("aria-label", "Find ranks, places and functions");
    const told = report.add(bar, "span", {className: "status"});
    told.setAttribute("role", "status");
    box.oninput = () => search(box.value, told);
    box.onkeydown = event => {
        if (event.key === "Enter")
            goToFirst(box.value);
    };
    // What a reader of paper asks first; the browser's own Print has all chapters, with all rows.
    report.add(bar, "button", {type: "button", id: "summary", textContent: "Print summary", title: "Prediction, where the time goes, the timeline as it is, comparison: without long rests of tables",
        onclick: () => {
            document.documentElement.classList.add("summary");
            print();
            document.documentElement.classList.remove("summary");
        }});
    const help = report.add(document.body, "dialog", {className: "help", id: "help"});
    help.setAttribute("aria-labelledby", "help-title");
    report.add(help, "h2", {id: "help-title", textContent: "How to read this page"});
    const keys = [["/", "find a rank, a place or a function; Enter goes there"], ["?", "this help"], ["[ ]", "another run"],
        ["+ −", "timeline: zoom into a stretch, and out"], ["arrows", "timeline: move"], ["PageUp PageDown", "timeline: fewer, more ranks"],
        ["0", "timeline: show all"], ["m c", "timeline: messages, critical path"], ["n", "timeline: the next execution of what a row led to"]];
    const list = report.add(help, "dl");
    for (const [key, meaning] of keys) {
        report.add(report.add(list, "dt"), "kbd", {textContent: key});
        report.add(list, "dd", {textContent: meaning});
    }
    for (const text of ["Blue and green is computation, yellow and red is MPI; the pale part of a call is the time in which another rank had not come.",
        "What stands first in a row of a table leads to its place in the timeline. Headings sort. Below the timeline are sums of what it shows.",
        "The predicted time is from MPI_Init to MPI_Finalize; the interval holds it in 19 of 20 cases on the machine that was profiled. Doubts stand in yellow."])
        report.add(help, "p", {textContent: text});
    report.add(help, "button", {type: "button", textContent: "Close", onclick: () => help.close()});
    report.add(bar, "button", {type: "button", textContent: "Help", id: "open-help", title: "How to read this page (?)", onclick: () => help.showModal()});
    document.addEventListener("keydown", event => {
        if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName))
            return;
        if (event.key === "/") {
            event.preventDefault();
            box.focus();
        } else if (event.key === "?" && !help.open) {
            event.preventDefault();
            help.showModal();
        }
    });
    report.linkRows = () => {
        if (timeline())
            rows().forEach(linkRow);
    };
})();
