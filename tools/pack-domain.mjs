// Packs domain/ as @guildhall/domain (docs/property-tests.md): each file as JavaScript, with its types.
//
//   node tools/pack-domain.mjs [folder]   writes the tarball into the folder; without one, into the working directory
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'

const checkout = path.resolve(import.meta.dirname, '..')
const target = path.resolve(process.argv[2] ?? '.')
const packed = mkdtempSync(path.join(tmpdir(), 'guildhall-domain-'))
try {
  const compiler = path.join(checkout, 'node_modules/.bin/tsc')
  execFileSync(compiler, ['-p', 'domain/tsconfig.package.json', '--outDir', packed], {
    cwd: checkout,
    stdio: 'inherit',
  })
  cpSync(path.join(checkout, 'domain/package.json'), path.join(packed, 'package.json'))
  cpSync(path.join(checkout, 'LICENSE'), path.join(packed, 'LICENSE'))
  cpSync(path.join(checkout, 'docs/property-tests.md'), path.join(packed, 'README.md'))
  execFileSync('npm', ['pack', '--silent', '--pack-destination', target], { cwd: packed, stdio: 'inherit' })
} finally {
  rmSync(packed, { recursive: true, force: true })
}
