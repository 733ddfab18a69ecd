/** `conex.config.ts`: what a folder tells the commands that run in it. */

export interface Config {
  /**
   * Connectors from outside of Conex: folders or files, from this file's folder on, and names of installed packages.
   * The variable CONEX_CONNECTORS, a list with commas, replaces them.
   */
  readonly connectors?: readonly string[]
}

/** Declares the content of `conex.config.ts`; export it as the default. */
export const defineConfig = (config: Config): Config => config
