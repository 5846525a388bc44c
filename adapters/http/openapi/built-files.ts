import { existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'
import { fileAt, type KeptFile } from '../kept-file.ts'

/** Where the build puts files that never change: `dist/documents`, seen from the sources and from the compiled files. */
const folders = ['../../../dist/documents/', '../../../documents/'].map((folder) => new URL(folder, import.meta.url))

/** The name of the list of these files with the hashes of their contents. */
export const hashesFile = 'hashes.json'

/** The pages of the API documents. */
export const docsPageFiles = { members: 'docs.html', admins: 'docs.admin.html' } as const

/** The documents that the build writes. */
export const documentNames = {
  members: 'openapi.json',
  admins: 'openapi.admin.json',
  gatewayPage: 'gateway.html',
  gateway: 'gateway.json',
  events: 'events.json',
} as const

/** The documents of the product. */
export type Documents = Readonly<Record<keyof typeof documentNames, KeptFile>>

/** What the build wrote, by name. Throws for a name that it did not write. */
export function builtFiles(): (name: string) => KeptFile {
  const folder = folders.find((each) => existsSync(new URL(hashesFile, each)))
  if (!folder) throw new Error('the documents are not built: run node build.mjs')
  const hashes = z.record(z.string(), z.string()).parse(JSON.parse(readFileSync(new URL(hashesFile, folder), 'utf8')))
  return (name) => {
    const hash = hashes[name]
    if (hash === undefined) throw new Error(`the build wrote no ${name}: run node build.mjs`)
    return fileAt(new URL(name, folder), hash)
  }
}

/** The documents as the build wrote them. */
export function builtDocuments(): Documents {
  const file = builtFiles()
  const { members, admins, gatewayPage, gateway, events } = documentNames
  return {
    members: file(members),
    admins: file(admins),
    gatewayPage: file(gatewayPage),
    gateway: file(gateway),
    events: file(events),
  }
}
