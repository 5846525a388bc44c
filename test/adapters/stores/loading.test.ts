import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

/** Imports that are carried out when a file is loaded: neither those of types, nor those that wait for a call. */
const loaded = /^(?:import|export)(?! type)[^'()]*? from '(\.[^']+)'|^import '(\.[^']+)'/gm

function filesLoadedWith(file: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(file)) return found
  found.add(file)
  for (const [, from, alone] of readFileSync(file, 'utf8').matchAll(loaded))
    filesLoadedWith(path.join(path.dirname(file), String(from ?? alone)), found)
  return found
}

it('a start loads no client of a store: each is loaded with the first call', () => {
  for (const file of ['process/guildhall-server.ts', 'process/settings/settings.ts']) {
    const files = [...filesLoadedWith(file)]
    expect(files).toContain('adapters/stores/store-settings.ts')
    expect(files.filter((name) => name.startsWith('adapters/stores/store-a/'))).toEqual([])
    expect(files.filter((name) => name.startsWith('adapters/stores/store-b/'))).toEqual([])
  }
  expect(filesLoadedWith('process/guildhall-server.ts')).toContain('adapters/stores/open-stores.ts')
  const client = filesLoadedWith('adapters/stores/store-a/store-a-client.ts')
  expect(client).toContain('adapters/stores/store-a/signed-data.ts')
})
