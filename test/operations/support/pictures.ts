import sharp from 'sharp'

/** Images as they are in bodies: base64. */

export async function stillImage(background = 'red', width = 16, height = 16): Promise<string> {
  const create = { width, height, channels: 3, background } as const
  return (await sharp({ create }).png().toBuffer()).toString('base64')
}

/** A GIF of two frames. */
export async function movingImage(): Promise<string> {
  const frames = Buffer.concat([Buffer.alloc(16 * 16 * 3, 0), Buffer.alloc(16 * 16 * 3, 255)])
  const raw = { width: 16, height: 32, channels: 3, pageHeight: 16 } as const
  return (await sharp(frames, { raw }).gif().toBuffer()).toString('base64')
}

/** A GIF of one frame. */
export async function stillGif(): Promise<string> {
  const create = { width: 16, height: 16, channels: 3, background: 'red' } as const
  return (await sharp({ create }).gif().toBuffer()).toString('base64')
}
