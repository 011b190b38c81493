// Keyboard shortcuts, step highlighting, lasting links and the copy button. The page works without
// them.
addEventListener("keydown", (event) => {
  const field = event.target.closest("input, textarea, select");
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && field?.form) {
    field.form.requestSubmit();
  } else if (event.key === "/" && !field) {
    event.preventDefault();
    document.getElementById("question").focus();
  }
});

// Pointing at a module of the program outlines its step, and a click opens it again.
for (const module of document.querySelectorAll(".workings .program a")) {
  const step = document.getElementById(module.hash.slice(1));
  for (const [event, highlighted] of [["mouseenter", true], ["focus", true], ["mouseleave", false], ["blur", false]]) {
    module.addEventListener(event, () => step.classList.toggle("highlighted", highlighted));
  }
  module.addEventListener("click", () => step.querySelector("details").setAttribute("open", ""));
}

// A link that holds question, passage and program in its fragment, which browsers do not send. It
// outlasts the server; a link to a stored passage does not. Mail programs cut longer links.
const MAX_LINK = 6000;
for (const link of document.querySelectorAll(".link a")) {
  const fields = new URLSearchParams(new FormData(document.querySelector("form.ask")));
  const program = new URLSearchParams(location.search).get("program");
  if (program) fields.set("program", program);
  const address = `/#${fields}`;
  if (address.length <= MAX_LINK) link.href = address;
}

// Opening such a link submits its fields.
function openLink() {
  const fields = new URLSearchParams(location.hash.slice(1));
  if (!fields.has("question") || !fields.has("passage")) return;
  const form = document.createElement("form");
  form.method = "post";
  form.action = "/";
  for (const name of ["question", "passage", "program"]) {
    const field = document.createElement("textarea");
    field.name = name;
    field.value = fields.get(name) ?? "";
    form.append(field);
  }
  form.hidden = true;
  document.body.append(form);
  form.submit();
}
addEventListener("hashchange", openLink);
openLink();

for (const button of document.querySelectorAll(".link button")) {
  button.hidden = !navigator.clipboard;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(button.parentElement.querySelector("a").href);
    button.textContent = "Copied";
  });
}
