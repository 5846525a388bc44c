import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { spawn } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { fileAt, type KeptFile } from '../kept-file.ts'

/** Where the console is, and what builds it. */
export interface ConsolePlace {
  /** With a slash at the end: it has index.html, and the folder assets. */
  readonly folder: URL
  /** The program that builds the folder anew where its sources have changed; a published package has none. */
  readonly program: URL
}

/** The files of the console. */
export interface ConsoleFiles {
  /** index.html; `building` while it is built, and `missing` where that failed or is not possible. */
  page(): Promise<{ readonly html: string } | 'building' | 'missing'>
  /** A file of the folder assets; undefined for every other name. */
  asset(name: string): KeptFile | undefined
}

/** How long a request for the page waits for the program: most often it finds that nothing has changed. */
const patience_ms = 1500
/** No name of another folder, none of a hidden file, and none of a compressed form. */
const assetName = /^\w[\w.-]{0,200}$/
const compressedName = /\.(?:br|gz)$/

/** Where the product has it, seen from the sources and from the compiled files. */
export function ownConsolePlace(): ConsolePlace {
  const roots = ['../../../', '../../../../'].map((up) => new URL(up, import.meta.url))
  const root = roots.find((each) => existsSync(new URL('package.json', each)))
  if (!root) throw new Error('There is no package.json above the program')
  return { folder: new URL('dist/console/', root), program: new URL('console/build.mjs', root) }
}

/**
 * The files in a folder that are there, or are built when somebody first asks for the page: once in the life of a process, whoever
 * asks. `onFailure` hears what the program said.
 */
export function consoleFiles({ folder, program }: ConsolePlace, onFailure: (said: string) => void): ConsoleFiles {
  const index = new URL('index.html', folder)
  const assets = new Map<string, KeptFile>()
  let building: Promise<'built'> | undefined
  const build = async (): Promise<'built'> => {
    const failure = existsSync(program) ? await failureOf(program) : undefined
    if (failure !== undefined) onFailure(failure)
    return 'built'
  }
  return {
    async page() {
      building ??= build()
      const state = await Promise.race([building, pause(patience_ms, 'building' as const, { ref: false })])
      if (state === 'building') return state
      return existsSync(index) ? { html: await readFile(index, 'utf8') } : 'missing'
    },
    asset(name) {
      const known = assets.get(name)
      if (known) return known
      const file = new URL(`assets/${name}`, folder)
      if (!assetName.test(name) || compressedName.test(name) || !existsSync(file)) return undefined
      const kept = fileAt(file, name)
      assets.set(name, kept)
      return kept
    },
  }
}

/** Runs a program to its end. Gives what it said if it failed. */
function failureOf(program: URL): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [fileURLToPath(program)], { stdio: ['ignore', 'ignore', 'pipe'] })
    const said: Buffer[] = []
    child.stderr.on('data', (piece: Buffer) => {
      said.push(piece)
      if (said.length > said_max) said.shift()
    })
    child.on('error', (error) => resolve(error.message))
    child.on('close', (code) => resolve(code === 0 ? undefined : Buffer.concat(said).toString()))
  })
}

/** The last pieces of what a program says: it ends with the reason. */
const said_max = 100
