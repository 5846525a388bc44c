import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { docsPageFiles, documentNames, hashesFile } from '../../adapters/http/openapi/built-files.ts'
import { apiDocsPage, gatewayDocsPage, swaggerFiles } from '../../adapters/http/openapi/docs-page.ts'
import {
  adminDocument,
  memberDocument,
  operationsFor,
  withDocuments,
} from '../../adapters/http/openapi/document-operation.ts'
import { introduction } from '../../adapters/http/openapi/introduction.ts'
import { allOperations } from '../../adapters/http/operations/all-operations.ts'
import { compressed, compressions, hashOf } from '../../adapters/http/kept-file.ts'
import { gatewayDocument } from '../gateway-reference/gateway-document.ts'
import { htmlOf } from '../gateway-reference/html-of.ts'
import { productVersion } from '../../process/product-version.ts'
import { gatewayPage } from '../reference/gateway.ts'

// Writes the files that the server sends as they are, each also compressed. The build runs it with the folder to write to, the
// folder of the package swagger-ui-dist, and the schemas of events.

const [into = '', swaggerUi = '', eventSchemas = ''] = process.argv.slice(2)
const operations = withDocuments(allOperations, productVersion)
const contents = new Map<string, string | Buffer>([
  [documentNames.members, JSON.stringify(memberDocument(operations, productVersion))],
  [documentNames.admins, JSON.stringify(adminDocument(operations, productVersion))],
  [docsPageFiles.members, apiDocsPage(htmlOf(introduction), operationsFor('members', operations))],
  [docsPageFiles.admins, apiDocsPage(htmlOf(introduction), operationsFor('admins', operations))],
  [documentNames.gatewayPage, gatewayDocsPage(htmlOf(gatewayPage()))],
  [documentNames.gateway, JSON.stringify(gatewayDocument())],
  [documentNames.events, readFileSync(eventSchemas)],
  ...[...swaggerFiles.keys()].map((name) => [name, readFileSync(path.join(swaggerUi, name))] as const),
])

rmSync(into, { recursive: true, force: true })
mkdirSync(into, { recursive: true })
const hashes = await Promise.all([...contents].map(([name, content]) => writeForms(name, Buffer.from(content))))
writeFileSync(path.join(into, hashesFile), JSON.stringify(Object.fromEntries(hashes)))

/** Writes a file and its compressed forms. Gives its name and its hash. */
async function writeForms(name: string, content: Buffer): Promise<readonly [string, string]> {
  const file = path.join(into, name)
  writeFileSync(file, content)
  writeFileSync(file + compressions.br, await compressed(content, 'br'))
  writeFileSync(file + compressions.gzip, await compressed(content, 'gzip'))
  return [name, hashOf(content)]
}
