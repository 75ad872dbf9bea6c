// What scrolls sideways can be reached with the keyboard; the wrapper of a copy button is no landmark.
const WIDE = ".md-typeset pre > code, .md-typeset__scrollwrap, .wide";

const reach = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
    else target.removeAttribute("tabindex");
  }
});

function seen() {
  for (const wide of document.querySelectorAll(WIDE)) reach.observe(wide);
  for (const nav of document.querySelectorAll("nav.md-code__nav")) nav.setAttribute("role", "none");
}

new MutationObserver(seen).observe(document.body, { childList: true, subtree: true });
seen();
