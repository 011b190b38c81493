// Attention slider: removes the shade of words below the minimum. Its scale is logarithmic.
for (const label of document.querySelectorAll(".workings .minimum[hidden]")) {
  const [input, output] = [label.querySelector("input"), label.querySelector("output")];
  const update = () => {
    const minimum = 10 ** input.value;
    output.textContent = minimum.toPrecision(1);
    label.closest(".workings").style.setProperty("--minimum", minimum);
  };
  input.addEventListener("input", update);
  label.hidden = false;
  update();
}

// A link to a step opens it.
const openStep = () => document.querySelector(".workings .steps > li:target > details")?.setAttribute("open", "");
addEventListener("hashchange", openStep);
openStep();

// The first marked words of a long passage are scrolled into view.
for (const box of document.querySelectorAll(".workings .text .whole")) {
  box.addEventListener("change", () => {
    const passage = box.closest(".text").querySelector(".passage");
    const mark = passage.querySelector("strong");
    if (box.checked && mark) passage.scrollTop = mark.offsetTop - passage.offsetTop - passage.clientHeight / 3;
  });
}
