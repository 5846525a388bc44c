/** Shows progress on stderr. */
export interface ProgressBar {
  /** `share` goes from 0 to 1; `text` gives it in numbers. Draws rarely enough not to slow down the work. */
  show(share: number, text: string): void
  /** Draws the newest state, and leaves it on the screen. */
  end(): void
}

const cells = 30
const redraw_ms = 100
const plainLine_ms = 5000

/** A bar that is redrawn on a terminal; elsewhere a plain line every few seconds. */
export function progressBar(
  label: string,
  out: Pick<NodeJS.WriteStream, 'isTTY' | 'write'> = process.stderr,
): ProgressBar {
  let newest = ''
  let shown = ''
  let due_ms = 0

  function write(): void {
    if (newest !== shown) out.write(out.isTTY ? `\r\u001B[K${newest}` : `${newest}\n`)
    shown = newest
    due_ms = performance.now() + (out.isTTY ? redraw_ms : plainLine_ms)
  }

  return {
    show(share, text) {
      const filled = Math.round(Math.min(Math.max(share, 0), 1) * cells)
      const bar = out.isTTY ? ` [${'#'.repeat(filled)}${'.'.repeat(cells - filled)}]` : ''
      newest = `${label}${bar} ${Math.floor(Math.min(Math.max(share, 0), 1) * 100)} %, ${text}`
      if (performance.now() >= due_ms) write()
    },
    end() {
      write()
      if (out.isTTY && shown !== '') out.write('\n')
    },
  }
}

/** How much of the way between two positions is done. */
export function shareOf(position: bigint, from: bigint, to: bigint): number {
  return to > from ? Number(position - from) / Number(to - from) : 1
}
