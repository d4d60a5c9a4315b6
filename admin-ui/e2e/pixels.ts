import { deflateSync } from 'node:zlib';

const table = Array.from({ length: 256 }, (_, byte) =>
  [0, 1, 2, 3, 4, 5, 6, 7].reduce((crc) => (crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1), byte),
);
const crc32 = (bytes: Buffer) =>
  ~bytes.reduce((crc, byte) => (crc >>> 8) ^ table[(crc ^ byte) & 255]!, -1) >>> 0;

function chunk(kind: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  const body = Buffer.concat([Buffer.from(kind, 'latin1'), content]);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

/** A PNG of eight bits; `kind`: 2 RGB, 3 with a palette. */
export function pngOf(
  width: number,
  height: number,
  kind: 2 | 3,
  parts: readonly (readonly [string, Buffer])[],
): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, kind, 0, 0, 0], 8);
  const chunks = [['IHDR', head] as const, ...parts, ['IEND', Buffer.alloc(0)] as const].map(
    ([name, content]) => chunk(name, content),
  );
  return Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), ...chunks]);
}

type Colour = readonly number[];

/** A PNG with access to single pixels. Positions are fractions of width and height. */
function paint(width: number, height: number, colourAt: (x: number, y: number) => Colour): Buffer {
  const rows = Buffer.alloc(height * (1 + width * 3));
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1)
      rows.set(colourAt(x / width, y / height).map(Math.round), y * (1 + width * 3) + 1 + x * 3);
  }
  return pngOf(width, height, 2, [['IDAT', deflateSync(rows)]]);
}

/** A PNG of two colours, one flowing into the other. */
export const png = (width: number, height: number, from: Colour, to: Colour): Buffer =>
  paint(width, height, (x, y) =>
    from.map((colour, c) => colour * (1 - (x + y) / 2) + to[c]! * ((x + y) / 2)),
  );

/** A plate seen from above: the cloth, what is on the plate, and what is strewn on that. 800 × 600. */
export const plate = (cloth: Colour, food: Colour, strewn: Colour): Buffer =>
  paint(800, 600, (x, y) => {
    const [dx, dy] = [(x - 0.5) * 4, (y - 0.5) * 3];
    const far = Math.hypot(dx, dy);
    if (far > 1.3) return cloth.map((colour) => colour * (1 - 0.12 * Math.sin(x * 60) ** 8));
    if (far > 0.95) return far > 1.25 ? [214, 214, 210] : [247, 247, 244];
    const dot = Math.hypot(
      ((dx + 3) % 0.42) - 0.21,
      ((dy + 3 + 0.17 * Math.floor((dx + 3) / 0.42)) % 0.38) - 0.19,
    );
    return dot < 0.085 && far < 0.85 ? strewn : food.map((colour) => colour * (1.06 - 0.16 * far));
  });
