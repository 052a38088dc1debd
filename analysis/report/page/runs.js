// SPDX-License-Identifier: Apache-2.0
//
// Draws all figures, and shows one run at a time: chosen above, or by the keys [ and ].
"use strict";
(() => {
    const choice = document.getElementById("run");
    const start = performance.now();
    report.run = 0;
    report.runListeners = [];

    // For screen readers; some figures have new canvases each time.
    const nameCanvases = () => {
        for (const canvas of document.querySelectorAll("figure canvas:not([aria-label])")) {
            canvas.setAttribute("role", "img");
            canvas.setAttribute("aria-label", canvas.closest("figure").querySelector("figcaption").textContent + "; the tables beside it say the same");
        }
    };
    const redraw = () => {
        report.redraws.forEach(one => one());
        nameCanvases();
    };

    const show = run => {
        report.run = run;
        for (const group of document.querySelectorAll(".run"))
            group.classList.toggle("away", Number(group.dataset.run) !== run);
        if (choice)
            choice.value = String(run);
        report.runListeners.forEach(listener => listener(run));
        redraw();
    };

    const figures = [...document.querySelectorAll("figure[data-figure]")].map(figure => {
        const draw = report.figures[figure.dataset.figure];
        const data = JSON.parse(figure.querySelector("script").textContent);
        return draw(figure.querySelector(".drawing"), data, figure);
    });

    if (choice) {
        choice.addEventListener("change", () => show(Number(choice.value)));
        document.addEventListener("keydown", event => {
            const step = {"[": -1, "]": 1}[event.key];
            if (step && !event.ctrlKey && !event.metaKey && !event.altKey)
                show((report.run + step + choice.options.length) % choice.options.length);
        });
    }
    let width = innerWidth, waiting = 0;
    addEventListener("resize", () => {
        if (width === innerWidth)
            return;
        width = innerWidth;
        cancelAnimationFrame(waiting);
        waiting = requestAnimationFrame(redraw);
    });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
    show(0);
    Promise.all(figures).then(() => {
        report.linkRows();
        nameCanvases();
        document.documentElement.dataset.ready = (performance.now() - start).toFixed(0);
    });
})();
