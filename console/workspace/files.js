/** Reads files for a command, which has room only for small ones. */

const MOST_BYTES = 80 * 1024; // of all: a frame has at most 128 KB, and base64 is a third longer
const MEGABYTE = 1024 * 1024;

const base64 = (file) =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result.slice(reader.result.indexOf(",") + 1));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });

/** Return the files that fit as `attachments`, and the others as `rejected`. */
export async function packed(files, most) {
  const [attachments, rejected] = [[], []];
  let room = Math.min(MOST_BYTES, (Number(most) || Infinity) * MEGABYTE);
  for (const file of files) {
    if (file.size > room || !file.size) {
      rejected.push({ name: file.name, reason: "size", size: file.size, source: "upload" });
      continue;
    }
    room -= file.size;
    const { name, size, type: mimeType } = file;
    attachments.push({ id: crypto.randomUUID(), name, size, mimeType, source: "upload", contentBase64: await base64(file) });
  }
  return { attachments, rejected };
}

export const kilobytes = MOST_BYTES / 1024;
