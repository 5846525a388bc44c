import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { writtenPages } from './pages.ts'

// Writes the pages of docs/ that follow from the code. Run it in the checkout: `npm run reference`.

const root = process.cwd()
for (const { file, text } of writtenPages(root)) {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
  writeFileSync(path.join(root, file), text)
  console.log(file)
}
