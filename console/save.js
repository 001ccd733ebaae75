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

const SEAL = 132;

/** Press a seal of two characters, one below the other; an empty one for the lower grades, as on the page. */
function press(brush, { level, isFull }, x, y, colour, serif) {
  const box = (inset, radius) => {
    brush.beginPath();
    brush.roundRect(x + inset, y + inset, SEAL - 2 * inset, SEAL - 2 * inset, radius);
  };
  brush.fillStyle = brush.strokeStyle = colour("--seal");
  brush.lineWidth = 5;
  box(isFull ? 0 : 3, 16);
  if (isFull) {
    brush.fill();
    brush.fillStyle = brush.strokeStyle = colour("--on-seal");
    brush.lineWidth = 3;
    box(8, 10);
  }
  brush.stroke();
  brush.font = `700 46px ${serif}`;
  brush.textAlign = "center";
  brush.textBaseline = "alphabetic";
  [...level].slice(0, 2).forEach((each, index) => {
    const { actualBoundingBoxAscent: above, actualBoundingBoxDescent: below } = brush.measureText(each);
    brush.fillText(each, x + SEAL / 2, y + SEAL / 2 + (index - 0.5) * 50 + (above - below) / 2);
  });
  brush.textAlign = "start";
  brush.textBaseline = "top";
}

/** A reading as a PNG: question, date, hexagram, plate, seal, grade, conclusion and advice, in the colours of the page. It is drawn
 * here, and nothing of it is sent.
 * @param {{ figure: Element, question: string, date: string, seal: { level: string, isFull: boolean }, grade: string,
 *   conclusion: string[], adviceTitle: string, advice: string[], name: string }} reading */
export async function picture({ figure, question, date, seal, grade, conclusion, adviceTitle, advice, name }) {
  const plate = await drawn(figure.querySelector("svg"));
  const style = getComputedStyle(document.documentElement);
  const colour = (property) => style.getPropertyValue(property).trim();
  const serif = getComputedStyle(document.body).fontFamily;
  const blocks = [
    { text: question, font: `600 52px ${serif}`, step: 68, after: 12 },
    { text: date, font: `28px ${serif}`, step: 40, after: 36, soft: true },
    { text: figure.querySelector("h2").textContent, font: `600 40px ${serif}`, step: 52, after: 8 },
    { text: [...figure.querySelectorAll(".pillars > *")].map((each) => each.textContent.trim()).join("　"), font: `28px ${serif}`, step: 40, after: 28, soft: true },
    { image: plate, after: 40 },
    { stamp: seal },
    { text: grade, font: `600 36px ${serif}`, step: 52, after: 12, seal: true, inset: SEAL + 40 },
    ...conclusion.map((text) => ({ text, font: `34px ${serif}`, step: 52, after: 12, inset: SEAL + 40 })),
    { space: "seal", after: 24 },
    ...(advice.length ? [{ text: adviceTitle, font: `600 30px ${serif}`, step: 46, after: 8 }] : []),
    ...advice.map((text) => ({ text, font: `32px ${serif}`, step: 50, after: 12, inset: 40, isPoint: true })),
    { space: "rule", after: 24 },
    { text: name, font: `26px ${serif}`, step: 40, after: 0, soft: true },
  ];
  const canvas = document.createElement("canvas");
  const brush = canvas.getContext("2d");
  let height = MARGIN;
  let stamped = 0;
  for (const block of blocks) {
    block.top = height;
    if (block.stamp) stamped = height + SEAL;
    if (block.stamp) continue;
    if (block.space === "seal") height = Math.max(height, stamped); // a short conclusion ends beside the seal
    brush.font = block.font ?? brush.font;
    block.lines = block.text === undefined ? [] : wrapped(brush, block.text, PLATE - (block.inset ?? 0));
    height += (block.image ? block.image.height : block.lines.length * (block.step ?? 0)) + block.after;
  }
  [canvas.width, canvas.height] = [WIDTH, height + MARGIN];
  brush.fillStyle = colour("--card");
  brush.fillRect(0, 0, canvas.width, canvas.height);
  brush.textBaseline = "top";
  for (const { top, image, stamp, space, font, isPoint, inset = 0, step, lines, ...block } of blocks) {
    if (image) brush.drawImage(image, MARGIN, top, PLATE, image.height);
    if (stamp) press(brush, stamp, MARGIN, top, colour, serif);
    brush.fillStyle = colour(block.seal ? "--seal" : block.soft ? "--soft" : space ? "--rule" : "--ink");
    if (space === "rule") brush.fillRect(MARGIN, top + 4, PLATE, 2);
    brush.font = font ?? brush.font;
    lines?.forEach((line, index) => brush.fillText(line, MARGIN + inset, top + index * step));
    if (!isPoint) continue;
    brush.fillStyle = colour("--seal");
    brush.fillRect(MARGIN, top + step / 2 - 8, 22, 3);
  }
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the picture could not be made"))), "image/png"),
  );
}
