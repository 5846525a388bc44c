const MiB = 1024 * 1024

/** A larger file is uploaded in parts. */
export const singlePart_bytes_max = 10 * MiB
const parts_max = 20

/** How large the parts of a file are that is uploaded before its message, but for the last one; null for a file in one piece. */
export function partSizeOf(size_bytes: number): number | null {
  if (size_bytes <= singlePart_bytes_max) return null
  return Math.max(singlePart_bytes_max, Math.ceil(size_bytes / parts_max / MiB) * MiB)
}

/** The sizes of the parts, in their order; of a file in one piece its size alone. */
export function partsOf(size_bytes: number, part_bytes: number | null): readonly number[] {
  if (part_bytes === null) return [size_bytes]
  const count = Math.ceil(size_bytes / part_bytes)
  return Array.from({ length: count }, (_, index) => Math.min(part_bytes, size_bytes - index * part_bytes))
}
