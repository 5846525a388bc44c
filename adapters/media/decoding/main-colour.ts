import sharp from 'sharp'

const side_max = 64
const pixel_bytes = 4
/** Colours whose channels share these high bits count as one: sixteen shades for each channel. */
const shade_bits = 4

interface Shade {
  weight: number
  red: number
  green: number
  blue: number
}

/**
 * The main colour of an image, as 24 bits of RGB: the mean of its most frequent shade, with each pixel weighted by its opacity.
 * Null if nothing is visible.
 */
export async function mainColour(image: Uint8Array): Promise<number | null> {
  const within = { width: side_max, height: side_max, fit: 'inside', withoutEnlargement: true } as const
  const pixels = await sharp(image).resize(within).toColourspace('srgb').ensureAlpha().raw().toBuffer()
  const shades = new Map<number, Shade>()
  for (let at = 0; at < pixels.length; at += pixel_bytes) count(shades, pixels.subarray(at, at + pixel_bytes))
  const fullest = [...shades.values()].reduce<Shade | undefined>(
    (best, shade) => (best && best.weight >= shade.weight ? best : shade),
    undefined,
  )
  if (!fullest) return null
  const mean = (sum: number): number => Math.round(sum / fullest.weight)
  return (mean(fullest.red) << 16) | (mean(fullest.green) << 8) | mean(fullest.blue)
}

function count(shades: Map<number, Shade>, [red = 0, green = 0, blue = 0, weight = 0]: Uint8Array): void {
  if (weight === 0) return
  const drop = 8 - shade_bits
  const name = ((red >> drop) << (2 * shade_bits)) | ((green >> drop) << shade_bits) | (blue >> drop)
  const shade = shades.get(name) ?? { weight: 0, red: 0, green: 0, blue: 0 }
  shade.weight += weight
  shade.red += red * weight
  shade.green += green * weight
  shade.blue += blue * weight
  shades.set(name, shade)
}
