export { lexer } from "marked";
