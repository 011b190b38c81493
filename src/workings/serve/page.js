// Comforts of the page; all of it works without them.
addEventListener("keydown", (event) => {
  const typing = event.target.closest("input, textarea, select");
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && typing?.form) {
    typing.form.requestSubmit();
  } else if (event.key === "/" && !typing) {
    event.preventDefault();
    document.getElementById("question").focus();
  }
});

// A module of the program shows which step it is.
for (const module of document.querySelectorAll(".workings .program a")) {
  const step = document.getElementById(module.hash.slice(1));
  for (const [event, lit] of [["mouseenter", true], ["focus", true], ["mouseleave", false], ["blur", false]]) {
    module.addEventListener(event, () => step.classList.toggle("lit", lit));
  }
}

for (const copy of document.querySelectorAll(".link button")) {
  copy.hidden = !navigator.clipboard;
  copy.addEventListener("click", async () => {
    await navigator.clipboard.writeText(copy.parentElement.querySelector("a").href);
    copy.textContent = "Copied";
  });
}
