import { deflateSync, inflateSync } from 'node:zlib';
import { pngOf } from './pixels.ts';

const COLOURS = 256;
/**
 * Colours nearer than this are one when there are too many, squared: as little as leaves hardly a pixel far
 * from its own.
 */
const NEAR = [2, 5, 12, 30, 60];
const FAR = 100;
const HARDLY = 0.001;

const distance = (a: number, b: number) =>
  ((a >> 16) - (b >> 16)) ** 2 + (((a >> 8) & 255) - ((b >> 8) & 255)) ** 2 + ((a & 255) - (b & 255)) ** 2;

/** The pixels of a PNG as browsers write it: eight bits, RGB or RGBA, not interlaced. */
function pixels(png: Buffer): { width: number; height: number; colours: Uint32Array } {
  const [width, height, channels] = [png.readUInt32BE(16), png.readUInt32BE(20), png[25] === 6 ? 4 : 3];
  const parts: Buffer[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at))
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  const raw = inflateSync(Buffer.concat(parts));
  const line = width * channels;
  const rows = Buffer.alloc(height * line);
  for (let y = 0; y < height; y += 1) {
    const filter = raw[y * (line + 1)];
    for (let x = 0; x < line; x += 1) {
      const left = x < channels ? 0 : rows[y * line + x - channels]!;
      const up = y === 0 ? 0 : rows[(y - 1) * line + x]!;
      const corner = y === 0 || x < channels ? 0 : rows[(y - 1) * line + x - channels]!;
      const paeth = () => {
        const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
        return a <= b && a <= c ? left : b <= c ? up : corner;
      };
      const guess =
        filter === 1
          ? left
          : filter === 2
            ? up
            : filter === 3
              ? (left + up) >> 1
              : filter === 4
                ? paeth()
                : 0;
      rows[y * line + x] = raw[y * (line + 1) + 1 + x]! + guess;
    }
  }
  const colours = new Uint32Array(width * height);
  for (let at = 0; at < colours.length; at += 1)
    colours[at] = (rows[at * channels]! << 16) | (rows[at * channels + 1]! << 8) | rows[at * channels + 2]!;
  return { width, height, colours };
}

/** The same picture with at most 256 colours: less than half as large, and screens have hardly more. */
export function shrink(png: Buffer): Buffer {
  const { width, height, colours } = pixels(png);
  const counts = new Map<number, number>();
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const often = [...counts].toSorted((a, b) => b[1] - a[1]).map(([colour]) => colour);
  let palette: number[] = [];
  let index = new Map<number, number>();
  for (const near of often.length <= COLOURS ? [0] : NEAR) {
    palette = [];
    for (const colour of often)
      if (palette.length < COLOURS && palette.every((one) => distance(one, colour) > near))
        palette.push(colour);
    index = new Map(
      often.map((colour) => [
        colour,
        palette.reduce(
          (best, one, at) => (distance(one, colour) < distance(palette[best]!, colour) ? at : best),
          0,
        ),
      ]),
    );
    const far = often
      .filter((colour) => distance(palette[index.get(colour)!]!, colour) > FAR)
      .reduce((sum, colour) => sum + counts.get(colour)!, 0);
    if (far < HARDLY * colours.length) break;
  }
  const rows = Buffer.alloc(height * (width + 1));
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) rows[y * (width + 1) + 1 + x] = index.get(colours[y * width + x]!)!;
  return pngOf(width, height, 3, [
    ['PLTE', Buffer.from(palette.flatMap((one) => [one >> 16, (one >> 8) & 255, one & 255]))],
    ['IDAT', deflateSync(rows, { level: 9 })],
  ]);
}
