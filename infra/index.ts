import { program } from './src/program';

export = program();
