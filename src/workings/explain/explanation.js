// The slider: words below the minimum lose their shade. Its scale is logarithmic.
for (const label of document.querySelectorAll(".workings .least[hidden]")) {
  const [input, shown] = [label.querySelector("input"), label.querySelector("output")];
  const show = () => {
    const least = 10 ** input.value;
    shown.textContent = least.toPrecision(1);
    label.closest(".workings").style.setProperty("--least", least);
  };
  input.addEventListener("input", show);
  label.hidden = false;
  show();
}
