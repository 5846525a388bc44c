import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'

/**
 * Makes a folder for the running test; returns its path. It is removed when everything has ended that the test starts afterwards and ends with
 * `onTestFinished`: hooks of `afterEach` run before those, while servers still write.
 */
export async function temporaryFolder(name: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), `gh-${name}-`))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}
