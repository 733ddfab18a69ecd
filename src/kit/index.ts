/** `conex/kit`: everything with which a connector outside of this package is written. */
export * from './config.ts'
export * from './connector.ts'
export * from './simulator.ts'
