/** What one image may cost (abuse matrix, A24). */
export const decodingLimits = {
  /** Of one frame of a format that is decoded line by line, in pixels. */
  frame_pixels_max: 50_000_000,
  /** Of one that a decoder holds whole several times over: HEIC, HEIF and JPEG XL. */
  heldFrame_pixels_max: 16_000_000,
  /** Of all frames together. */
  animation_pixels_max: 150_000_000,
  /** Likewise, of an animated PNG, whose frames are all held at once. */
  heldAnimation_pixels_max: 40_000_000,
  frames_max: 1000,
  /** The longer side of what is stored, in pixels. */
  stored_side_max: 4096,
  /** From handing it over to its result. */
  time_ms_max: 15_000,
  /** Likewise, of an SVG, a few bytes of which can ask for any amount of work. */
  svgTime_ms_max: 2000,
  /** Of the JavaScript of the process that decodes. */
  heap_MB_max: 256,
  /** Of all that the process holds. */
  memory_MB_max: 1536,
} as const
