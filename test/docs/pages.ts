import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

export const checkout = path.resolve(import.meta.dirname, '../..')

export const read = (file: string): string => readFileSync(path.join(checkout, file), 'utf8')

/** The files of a folder whose names end so, as paths from the checkout. */
export const filesIn = (folder: string, end: string, recursive = false): readonly string[] =>
  readdirSync(path.join(checkout, folder), { recursive, encoding: 'utf8' })
    .filter((name) => name.endsWith(end))
    .map((name) => path.posix.join(folder, name))

export const markdownIn = (folder: string, recursive = false): readonly string[] => filesIn(folder, '.md', recursive)

/** The text of a page outside its code blocks. */
export const prose = (page: string): string => read(page).replaceAll(/^```[^]*?^```$/gm, '')

/** The headings of a page as links name them. */
export const anchorsOf = (page: string): readonly string[] =>
  [...prose(page).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  )
