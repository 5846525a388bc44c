// Compiles the product into dist/ and lays the SQL files of the read models and adapters beside the code that reads them.
import { spawnSync } from 'node:child_process'
import { cpSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

const tsc = createRequire(import.meta.url).resolve('typescript/package.json')
const compiled = spawnSync(process.execPath, [path.join(path.dirname(tsc), 'bin/tsc'), '-b'], { stdio: 'inherit' })
for (const folder of ['projections', 'adapters']) {
  for (const entry of readdirSync(folder, { recursive: true })) {
    if (entry.endsWith('.sql')) cpSync(path.join(folder, entry), path.join('dist', folder, entry))
  }
}

process.exit(compiled.status ?? 1)
