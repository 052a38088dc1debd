// SPDX-License-Identifier: Apache-2.0
//
// Tables: sorted by a click on a heading (or Enter), and folded where they are long.
"use strict";
(() => {
    const SHOWN = 12, SLACK = 4; // rows of a folded table; so few more are shown as well

    const value = cell => {
        if (cell.dataset.v !== undefined)
            return Number(cell.dataset.v);
        return cell.classList.contains("number") ? NaN : cell.textContent;
    };

    const compare = (a, b) => {
        if (typeof a === "string")
            return a.localeCompare(b);
        return Number.isNaN(a) ? 1 : Number.isNaN(b) ? -1 : a - b;
    };

    const fold = table => [...table.tBodies[0].rows].forEach((row, i) => row.classList.toggle("rest", i >= SHOWN));

    const sort = (table, heading) => {
        const column = heading.cellIndex, isNumber = heading.classList.contains("number");
        const before = heading.getAttribute("aria-sort");
        const order = before === null ? (isNumber ? "descending" : "ascending")
            : before === "ascending" ? "descending" : "ascending";
        const sign = order === "ascending" ? 1 : -1;
        const rows = [...table.tBodies[0].rows].map(row => [value(row.cells[column]), row]);
        rows.sort(([a], [b]) => Number.isNaN(a) || Number.isNaN(b) ? compare(a, b) : sign * compare(a, b));
        table.tBodies[0].append(...rows.map(([, row]) => row));
        for (const other of heading.parentElement.cells)
            other.removeAttribute("aria-sort");
        heading.setAttribute("aria-sort", order);
        fold(table);
    };

    for (const table of document.querySelectorAll("main table")) {
        for (const heading of table.tHead.rows[0].cells) {
            heading.tabIndex = 0;
            heading.addEventListener("click", () => sort(table, heading));
            heading.addEventListener("keydown", event => {
                if (event.key === "Enter" || event.key === " ") {
                    event.preventDefault();
                    sort(table, heading);
                }
            });
        }
        const count = table.tBodies[0].rows.length;
        if (count <= SHOWN + SLACK)
            continue;
        fold(table);
        table.classList.add("folded");
        const button = document.createElement("button");
        button.className = "fold";
        button.textContent = `Show all ${count} ${table.dataset.what}`;
        button.addEventListener("click", () => {
            table.classList.remove("folded");
            button.remove();
        });
        table.parentElement.after(button);
    }

    // The chapter that is read is marked in the list of them.
    const links = new Map([...document.querySelectorAll(".contents a")].map(link => [link.hash.slice(1), link]));
    const seen = new IntersectionObserver(entries => {
        for (const entry of entries)
            if (entry.isIntersecting) {
                links.forEach(link => link.classList.remove("current"));
                links.get(entry.target.id)?.classList.add("current");
            }
    }, {rootMargin: "-10% 0px -80% 0px"});
    document.querySelectorAll("main section").forEach(section => seen.observe(section));
})();
