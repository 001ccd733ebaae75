/** Exports a reading as a picture, and a session as JSON. */

const WIDTH = 1080;
const MARGIN = 72;
const PLATE = WIDTH - 2 * MARGIN;
/** The styles of a plate's elements, since a picture of their own has no style sheet. */
const STYLES = ["fill", "stroke", "stroke-width", "opacity", "font-family", "font-size", "font-weight"];

/** Give the user a file. */
export function download(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

export const json = (value) => new Blob([JSON.stringify(value, null, 2)], { type: "application/json" });

/** Return a file name for a question: its first words, without characters that file systems refuse. */
export function fileName(title, ending) {
  const plain = title.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "");
  return `${[...plain].slice(0, 40).join("") || "yarrow"}.${ending}`;
}

/** Return a plate's SVG as a self-contained image. */
async function drawn(svg) {
  const copy = svg.cloneNode(true);
  const [all, copies] = [svg, copy].map((each) => [each, ...each.querySelectorAll("*")]);
  all.forEach((element, index) => {
    const style = getComputedStyle(element);
    for (const name of STYLES) copies[index].style.setProperty(name, style.getPropertyValue(name));
  });
  for (const each of copy.querySelectorAll(".hit, .ground")) each.remove();
  const { width, height } = svg.viewBox.baseVal;
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", PLATE);
  copy.setAttribute("height", (PLATE * height) / width);
  const url = URL.createObjectURL(new Blob([new XMLSerializer().serializeToString(copy)], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    return image;
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** Break a text where its language allows it. */
function wrapped(canvas, text, width) {
  const lines = [""];
  for (const { segment } of new Intl.Segmenter(document.documentElement.lang, { granularity: "word" }).segment(text)) {
    const isPunctuation = /^[，。；：、！？）」』”,.;:!?)]/.test(segment);
    if (!isPunctuation && canvas.measureText(lines.at(-1) + segment).width > width) lines.push("");
    lines[lines.length - 1] += lines.at(-1) ? segment : segment.trimStart();
  }
  return lines;
}

/** A reading as a PNG: question, hexagram, plate, grade and conclusion, in the colours of the page.
 * @param {{ figure: Element, question: string, grade: string, conclusion: string[], name: string }} reading */
export async function picture({ figure, question, grade, conclusion, name }) {
  const plate = await drawn(figure.querySelector("svg"));
  const style = getComputedStyle(document.documentElement);
  const colour = (property) => style.getPropertyValue(property).trim();
  const serif = getComputedStyle(document.body).fontFamily;
  const blocks = [
    { text: question, font: `600 52px ${serif}`, step: 68, after: 36 },
    { text: figure.querySelector("h2").textContent, font: `600 40px ${serif}`, step: 52, after: 8 },
    { text: [...figure.querySelectorAll(".pillars > *")].map((each) => each.textContent.trim()).join("　"), font: `28px ${serif}`, step: 40, after: 28, soft: true },
    { image: plate, after: 40 },
    { text: grade, font: `600 36px ${serif}`, step: 52, after: 12, seal: true },
    ...conclusion.map((text) => ({ text, font: `34px ${serif}`, step: 52, after: 12 })),
    { text: name, font: `26px ${serif}`, step: 40, after: 0, soft: true },
  ];
  const canvas = document.createElement("canvas");
  const brush = canvas.getContext("2d");
  let height = MARGIN;
  for (const block of blocks) {
    brush.font = block.font ?? brush.font;
    block.lines = block.text === undefined ? [] : wrapped(brush, block.text, PLATE);
    height += (block.image ? block.image.height : block.lines.length * block.step) + block.after;
  }
  [canvas.width, canvas.height] = [WIDTH, height + MARGIN];
  brush.fillStyle = colour("--card");
  brush.fillRect(0, 0, canvas.width, canvas.height);
  brush.textBaseline = "top";
  let y = MARGIN;
  for (const block of blocks) {
    if (block.image) brush.drawImage(block.image, MARGIN, y, PLATE, block.image.height);
    brush.font = block.font ?? brush.font;
    brush.fillStyle = colour(block.seal ? "--seal" : block.soft ? "--soft" : "--ink");
    block.lines.forEach((line, index) => brush.fillText(line, MARGIN, y + index * block.step));
    y += (block.image ? block.image.height : block.lines.length * block.step) + block.after;
  }
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the picture could not be made"))), "image/png"),
  );
}
