declare module 'libheif-js/wasm-bundle.js' {
  interface Pixels {
    readonly data: Uint8ClampedArray
    readonly width: number
    readonly height: number
  }

  interface HeifPicture {
    get_width(): number
    get_height(): number
    /** Whether it is the one that the file names to be shown. */
    is_primary(): boolean
    /** Decodes it into the given pixels; gives null if that fails. */
    display(into: Pixels, done: (pixels: Pixels | null) => void): void
    free(): void
  }

  const libheif: {
    readonly ready?: Promise<unknown>
    readonly HeifDecoder: new () => {
      /** The pictures of a file, not decoded yet. */
      decode(bytes: Uint8Array): readonly HeifPicture[]
      readonly decoder: { delete(): void } | null
    }
  }
  export default libheif
}
