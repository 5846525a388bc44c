import { describe, expect, it } from 'vitest'
import { progressBar, shareOf } from '../../cli/progress-bar.ts'

function shownOn(isTTY: boolean, steps: number): string {
  let text = ''
  const bar = progressBar('replaying', { isTTY, write: (piece) => ((text += String(piece)), true) })
  for (let step = 1; step <= steps; step += 1) bar.show(step / steps, `position ${step} of ${steps}`)
  bar.end()
  return text
}

describe('a progress bar', () => {
  it('is redrawn on a terminal, and left there when it is full', () => {
    const text = shownOn(true, 1000)
    expect(text.split('\r').length).toBeLessThan(20)
    expect(text.endsWith(`\r\u001B[Kreplaying [${'#'.repeat(30)}] 100 %, position 1000 of 1000\n`)).toBe(true)
    expect(text).toContain('] 0 %, position 1 of 1000')
  })

  it('is a few plain lines elsewhere', () => {
    expect(shownOn(false, 1000)).toBe('replaying 0 %, position 1 of 1000\nreplaying 100 %, position 1000 of 1000\n')
  })

  it('prints nothing if there was nothing to do', () => {
    expect(shownOn(true, 0)).toBe('')
    expect(shareOf(5n, 5n, 5n)).toBe(1)
    expect(shareOf(2n ** 62n, 0n, 2n ** 63n)).toBe(0.5)
  })
})
