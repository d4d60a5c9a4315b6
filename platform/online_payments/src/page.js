// Asks while something is open, and puts the answer in place of what is shown if it says something else. The heading gets
// the focus then, so a screen reader reads it.
const main = () => document.querySelector('main');

async function ask() {
  try {
    const answer = await fetch(location.href);
    const text = answer.ok ? await answer.text() : '';
    const page = new DOMParser().parseFromString(text, 'text/html');
    const next = page.querySelector('main');
    if (next && next.innerHTML !== main().innerHTML) {
      document.title = page.title;
      main().replaceWith(next);
      const heading = next.querySelector('h1');
      heading.tabIndex = -1;
      heading.focus();
    }
  } catch {
    // Without network it asks again.
  }
  later();
}

function later() {
  const seconds = main().dataset.again;
  if (seconds) setTimeout(ask, seconds * 1000);
}

later();
