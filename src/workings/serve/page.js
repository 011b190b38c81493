// Keyboard shortcuts, step highlighting and the copy button. The page works without them.
addEventListener("keydown", (event) => {
  const field = event.target.closest("input, textarea, select");
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && field?.form) {
    field.form.requestSubmit();
  } else if (event.key === "/" && !field) {
    event.preventDefault();
    document.getElementById("question").focus();
  }
});

// Pointing at a module of the program outlines its step.
for (const module of document.querySelectorAll(".workings .program a")) {
  const step = document.getElementById(module.hash.slice(1));
  for (const [event, highlighted] of [["mouseenter", true], ["focus", true], ["mouseleave", false], ["blur", false]]) {
    module.addEventListener(event, () => step.classList.toggle("highlighted", highlighted));
  }
}

for (const button of document.querySelectorAll(".link button")) {
  button.hidden = !navigator.clipboard;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(button.parentElement.querySelector("a").href);
    button.textContent = "Copied";
  });
}
