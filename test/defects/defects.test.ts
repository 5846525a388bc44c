import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const folder = new URL('./', import.meta.url)
const root = fileURLToPath(new URL('../../', folder))
const names = readdirSync(folder).filter((name) => name.endsWith('.patch'))

describe('the planted defects', () => {
  it('are a hundred and two', () => {
    expect(names).toHaveLength(102)
  })

  it.each(names)('%s applies to what is here, and names tests that are here', (name) => {
    const path = fileURLToPath(new URL(name, folder))
    const patch = readFileSync(path, 'utf8')
    // Fails with what git says of it.
    execFileSync('git', ['apply', '--check', path], { cwd: root, stdio: 'pipe' })
    const files = [...patch.matchAll(/^Found by: (\S+)$/gm)].map(([, file = '']) => file)
    expect(files.filter((file) => existsSync(`${root}${file}`))).toStrictEqual(files)
    expect(files).not.toStrictEqual([])
    expect(patch).toMatch(/^(?:Undoes [0-9a-f]{8}: \S|Plants: \S)/)
  })
})
