// Packs client/ as @guildhall/client (client/README.md): each file as JavaScript, with its types and those of the API.
//
//   node tools/pack-client.mjs [folder]   writes the tarball into the folder; without one, into the working directory
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'

const checkout = path.resolve(import.meta.dirname, '..')
const target = path.resolve(process.argv[2] ?? '.')
const packed = mkdtempSync(path.join(tmpdir(), 'guildhall-client-'))
try {
  const compiler = path.join(checkout, 'node_modules/.bin/tsc')
  await import('./client-types.mjs')
  execFileSync(compiler, ['-p', 'client/tsconfig.package.json', '--outDir', packed], {
    cwd: checkout,
    stdio: 'inherit',
  })
  // Where the compiled files import them from.
  mkdirSync(path.join(packed, 'dist'))
  cpSync(path.join(checkout, 'dist/client-api'), path.join(packed, 'dist/client-api'), { recursive: true })
  rmSync(path.join(packed, 'dist/client-api/build.stamp'))
  for (const file of ['client/package.json', 'client/README.md', 'LICENSE'])
    cpSync(path.join(checkout, file), path.join(packed, path.basename(file)))
  execFileSync('npm', ['pack', '--silent', '--pack-destination', target], { cwd: packed, stdio: 'inherit' })
} finally {
  rmSync(packed, { recursive: true, force: true })
}
