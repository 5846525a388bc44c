import { existsSync } from 'node:fs'

/** The Chromium of this machine; undefined where there is none, and what needs one leaves itself out. */
export const chromiumPath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
)

/** For the name of a suite that opens pages. */
export const inChromium = `in a real Chromium, ${chromiumPath === undefined ? 'left out: this machine has no Chromium' : 'on this machine'}`
