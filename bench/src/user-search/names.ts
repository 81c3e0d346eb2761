// Brazilian names: a few are very common, most are rare.
export const firstNames =
  'Maria José Ana João Antônio Francisca Carlos Paulo Pedro Lucas Luiz Marcos Luís Gabriel Rafael Márcia Adriana Juliana Fernanda Patrícia Aline Sandra Camila Amanda Bruna Jéssica Letícia Júlia Luciana Vanessa Mariana Gabriela Vera Vitória Larissa Cláudia Beatriz Rita Luana Sônia Renata Eliane Conceição Simone Célia Iracema Jandira Quitéria Ubirajara Zuleide'.split(
    ' ',
  );
export const lastNames =
  'Silva Santos Oliveira Souza Rodrigues Ferreira Alves Pereira Lima Gomes Costa Ribeiro Martins Carvalho Almeida Lopes Soares Fernandes Vieira Barbosa Rocha Dias Nascimento Andrade Moreira Nunes Marques Machado Mendes Freitas Cardoso Ramos Gonçalves Santana Teixeira Araújo Cavalcanti Albuquerque Guimarães Bittencourt Magalhães Assunção Figueirôa Xavier Queirós Brandão Sampaio Tavares Uchôa Zanella'.split(
    ' ',
  );
