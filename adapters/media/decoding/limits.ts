/** The limits for one image. */
export const decodingLimits = {
  /** One frame, in pixels. */
  frame_pixels_max: 50_000_000,
  /** One frame of JPEG XL, whose decoder holds it whole several times: 1.2 GB at this size. */
  jxl_pixels_max: 16_000_000,
  /** All frames together, in pixels. */
  animation_pixels_max: 150_000_000,
  /** All frames of an animated PNG together, in pixels: they are all held at once. */
  heldAnimation_pixels_max: 40_000_000,
  frames_max: 1000,
  /** The longer side of the stored image, in pixels. */
  stored_side_max: 4096,
  /** The longer side of an SVG is drawn at least so large, in pixels. */
  svgSide_min: 512,
  /** From handing the image over to its result. */
  time_ms_max: 15_000,
  /** The same for an SVG: a few bytes of it can demand any amount of work. */
  svgTime_ms_max: 2000,
  /** The JavaScript heap of the decoding process. */
  heap_MB_max: 256,
  /** All memory of the decoding process. */
  memory_MB_max: 1536,
} as const
