/** A value as the bytes of a JSON file. */
export async function* jsonFile(value: unknown): AsyncGenerator<Uint8Array> {
  yield Buffer.from(`${JSON.stringify(value, null, 2)}\n`)
}

/** The pages of a list as the bytes of a JSON array, one page in memory at a time. */
export async function* jsonList(pages: AsyncIterable<readonly unknown[]>): AsyncGenerator<Uint8Array> {
  let before = '[\n'
  for await (const page of pages) {
    if (page.length === 0) continue
    yield Buffer.from(before + page.map((item) => JSON.stringify(item)).join(',\n'))
    before = ',\n'
  }
  yield Buffer.from(before === '[\n' ? '[]\n' : '\n]\n')
}
