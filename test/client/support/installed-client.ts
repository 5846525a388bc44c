import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { checkout } from '../../docs/pages.ts'

const run = promisify(execFile)

/** A folder in which somebody has installed the client, without a network. */
export interface InstalledClient {
  readonly folder: string
  /** Checks the types of programs there, by the names of their files. Gives what the compiler says; empty if nothing is wrong. */
  check(programs: Readonly<Record<string, string>>, options?: object): Promise<string>
  remove(): Promise<void>
}

export async function installClient(): Promise<InstalledClient> {
  const folder = await mkdtemp(path.join(tmpdir(), 'gh-client-'))
  await run(process.execPath, ['tools/pack-client.mjs', folder], { cwd: checkout })
  const [tarball = ''] = await readdir(folder)
  await run('npm', ['init', '--yes', '--init-type', 'module'], { cwd: folder })
  const packages = [path.join(folder, tarball), path.join(checkout, 'node_modules/openapi-fetch')]
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', ...packages], { cwd: folder })
  const inNode = { types: ['node'], typeRoots: [path.join(checkout, 'node_modules/@types')] }
  return {
    folder,
    async check(programs, options = {}) {
      const compilerOptions = { strict: true, module: 'nodenext', target: 'es2023', noEmit: true, skipLibCheck: true }
      for (const [file, program] of Object.entries(programs)) await writeFile(path.join(folder, file), program)
      const all = { compilerOptions: { ...compilerOptions, ...inNode, ...options }, files: Object.keys(programs) }
      await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify(all))
      return run(path.join(checkout, 'node_modules/.bin/tsc'), ['-p', '.'], { cwd: folder }).then(
        () => '',
        ({ stdout }: { readonly stdout: string }) => stdout,
      )
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
