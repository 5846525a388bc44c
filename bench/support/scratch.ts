import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/** A folder of its own for one line of the bench. */
export interface Scratch {
  readonly folder: string
  remove(): void
}

/** Makes an empty folder that every user may enter, because Postgres never runs as root. */
export function scratch(): Scratch {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'guildhall-bench-'))
  chmodSync(folder, 0o755)
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
