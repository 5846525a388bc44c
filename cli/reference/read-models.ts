import { readModels } from '../../projections/read-models.ts'
import { code, codes, page, table } from './markdown.ts'

/** Every read model, as its projection declares it. */
export function readModelsPage(): string {
  return page(
    '# Read models',
    'Each read model lives in a Postgres schema of its own name. Its rows follow from the events alone: `guildhall replay` makes them again, and `guildhall verify` compares them. Raising the version of a projection rebuilds it beside the live tables and swaps it in.',
    table(
      ['read model', 'version', 'tables', 'answers'],
      readModels
        .map(({ name, version, keys, answers }) => [code(name), `${version}`, codes(Object.keys(keys)), answers])
        .toSorted(([one = ''], [other = '']) => (one < other ? -1 : 1)),
    ),
    'Each is a folder of `projections/`: `tables.sql`, `projector.ts` and `queries.ts`.',
  )
}
