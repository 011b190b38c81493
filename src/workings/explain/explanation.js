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
