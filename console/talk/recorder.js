/** The microphone as what `/transcribe` takes: WAV, 16 kHz, one channel, 16 bits. */

const RATE = 16_000;
export const MOST_SECONDS = 110;

/** Begin to record. The promise of `stop()` is the recording; `cancel()` gives the microphone back without one. */
export async function record() {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: { channelCount: 1, echoCancellation: false } });
  const recorder = new MediaRecorder(stream);
  const pieces = [];
  recorder.ondataavailable = ({ data }) => pieces.push(data);
  const ended = new Promise((resolve) => (recorder.onstop = resolve));
  recorder.start(250);
  const release = () => stream.getTracks().forEach((each) => each.stop());
  return {
    async stop() {
      recorder.stop();
      await ended;
      release();
      return wav(await sound(new Blob(pieces, { type: recorder.mimeType })));
    },
    cancel() {
      if (recorder.state !== "inactive") recorder.stop();
      release();
    },
  };
}

/** The samples of a recording, at the rate that is wanted. */
async function sound(recording) {
  const context = new AudioContext();
  try {
    const decoded = await context.decodeAudioData(await recording.arrayBuffer());
    const length = Math.min(Math.ceil(decoded.duration * RATE), MOST_SECONDS * RATE);
    const offline = new OfflineAudioContext(1, Math.max(1, length), RATE);
    const source = offline.createBufferSource();
    source.buffer = decoded;
    source.connect(offline.destination);
    source.start();
    return (await offline.startRendering()).getChannelData(0);
  } finally {
    await context.close();
  }
}

/** Samples from -1 to 1 as a WAV file. */
export function wav(samples) {
  const bytes = new DataView(new ArrayBuffer(44 + samples.length * 2));
  const text = (offset, value) => [...value].forEach((each, index) => bytes.setUint8(offset + index, each.charCodeAt(0)));
  text(0, "RIFF");
  bytes.setUint32(4, 36 + samples.length * 2, true);
  text(8, "WAVEfmt ");
  bytes.setUint32(16, 16, true);
  bytes.setUint16(20, 1, true);
  bytes.setUint16(22, 1, true);
  bytes.setUint32(24, RATE, true);
  bytes.setUint32(28, RATE * 2, true);
  bytes.setUint16(32, 2, true);
  bytes.setUint16(34, 16, true);
  text(36, "data");
  bytes.setUint32(40, samples.length * 2, true);
  samples.forEach((each, index) => bytes.setInt16(44 + index * 2, Math.max(-1, Math.min(1, each)) * 32_767, true));
  return new Blob([bytes], { type: "audio/wav" });
}
